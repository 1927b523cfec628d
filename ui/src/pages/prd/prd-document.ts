// A PRD document as the page shows it. A draft may lack anything: what is not there is empty.

export interface PrdStory {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly criteria: readonly string[];
  readonly dependsOn: readonly string[];
  readonly checks: readonly { readonly criterion: number | undefined; readonly command: string }[];
}

export interface PrdDocument {
  readonly project: string;
  readonly branch: string;
  readonly description: string;
  readonly gates: readonly { readonly id: string; readonly command: string }[];
  readonly stories: readonly PrdStory[];
  readonly nonGoals: readonly string[];
  readonly openQuestions: readonly string[];
}

type Raw = Readonly<Record<string, unknown>>;

export function readPrd(raw: Raw): PrdDocument {
  return {
    project: textOf(raw, 'project'),
    branch: textOf(raw, 'branchName'),
    description: textOf(raw, 'description'),
    gates: objectsOf(raw, 'gates').map((gate) => ({ id: textOf(gate, 'id'), command: textOf(gate, 'command') })),
    stories: objectsOf(raw, 'userStories').map(readStory),
    nonGoals: textsOf(raw, 'nonGoals'),
    openQuestions: textsOf(raw, 'openQuestions'),
  };
}

function readStory(raw: Raw): PrdStory {
  return {
    id: textOf(raw, 'id'),
    title: textOf(raw, 'title'),
    description: textOf(raw, 'description'),
    criteria: textsOf(raw, 'acceptanceCriteria'),
    dependsOn: textsOf(raw, 'dependsOn'),
    checks: objectsOf(raw, 'checks').map((check) => ({
      criterion: typeof check['criterion'] === 'number' ? check['criterion'] : undefined,
      command: textOf(check, 'command'),
    })),
  };
}

function textOf(raw: Raw, key: string): string {
  const value = raw[key];
  return typeof value === 'string' ? value : '';
}

function textsOf(raw: Raw, key: string): readonly string[] {
  const value = raw[key];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

function objectsOf(raw: Raw, key: string): readonly Raw[] {
  const value = raw[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
