// Writes a PRD as a document that other tools read too: camelCase, with `passes` and `notes`. runs-6.1, runs-13.
import { stringify } from 'yaml';
import type { Prd, PrdGate, PrdStory } from '../model/prd/prd.ts';
import type { PrdDocument } from '../model/prd/prd-session.ts';

/** The document; `parsePrd` of it gives the same PRD. */
export function toPrdDocument(prd: Prd): PrdDocument {
  return withoutAbsent({
    project: prd.project,
    branchName: prd.branchName,
    description: prd.description,
    gates: prd.gates?.map(renderGate),
    setup: prd.setup,
    copy: unlessEmpty(prd.copy),
    protect: unlessEmpty(prd.protect),
    nonGoals: unlessEmpty(prd.nonGoals),
    openQuestions: unlessEmpty(prd.openQuestions),
    metadata: Object.keys(prd.metadata).length === 0 ? undefined : prd.metadata,
    userStories: prd.userStories.map(renderStory),
  });
}

export function renderPrdJson(prd: Prd): string {
  return `${JSON.stringify(toPrdDocument(prd), null, 2)}\n`;
}

/** YAML 1.2 without anchors. Texts that YAML 1.1 would read as something else (`yes`, `on`) are quoted. */
export function renderPrdYaml(prd: Prd): string {
  return stringify(toPrdDocument(prd), {
    version: '1.2',
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
    lineWidth: 0,
  });
}

function renderStory(story: PrdStory): PrdDocument {
  return withoutAbsent({
    id: story.id,
    title: story.title,
    description: story.description,
    acceptanceCriteria: story.acceptanceCriteria,
    priority: story.priority,
    dependsOn: story.dependsOn,
    checks:
      story.checks.length === 0
        ? undefined
        : story.checks.map(({ criterion, command }) => withoutAbsent({ criterion, command })),
    allowTestChanges: story.allowTestChanges === false ? undefined : story.allowTestChanges,
    agent: story.agent,
    model: story.model,
    passes: story.passes,
    notes: story.notes ?? '',
  });
}

function renderGate(gate: PrdGate): PrdDocument {
  return withoutAbsent({
    id: gate.id,
    command: gate.command,
    timeoutSeconds: gate.timeoutSeconds,
    required: gate.required ? undefined : false,
    network: gate.network,
  });
}

function unlessEmpty<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items;
}

function withoutAbsent(members: PrdDocument): PrdDocument {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}
