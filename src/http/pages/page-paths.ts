// The addresses of pages. No page has the path of an operation: a browser would get data in place of the page. ui-11.1.

const monitor = '/v1/monitor';
const runs = '/dashboard/ralph';

/** The pages that the service serves; `:id` stands for any one segment. ui-16.1. */
export const pagePaths: readonly string[] = [
  monitor,
  `${monitor}/start`,
  ...withThing(`${monitor}/questions`),
  `${monitor}/tasks`,
  `${monitor}/tasks/new`,
  ...withParts(`${monitor}/tasks/:id`, ['output', 'changes', 'exchange', 'attempts', 'deliveries', 'who', 'raw']),
  `${monitor}/compare`,
  ...withThing(`${monitor}/conversations`),
  ...withThing(`${monitor}/fleet`),
  ...withThing(`${monitor}/codebases`),
  ...withThing(`${monitor}/funnels`),
  ...withThing(`${monitor}/schedules`),
  ...withThing(`${monitor}/objectives`),
  `${monitor}/costs`,
  `${monitor}/audit`,
  ...withParts(`${monitor}/inspector`, ['a2a', 'mcp', 'rest', 'tools']),
  `${monitor}/health`,
  ...withParts(`${monitor}/settings`, ['me', 'keys', 'users', 'tenants', 'webhooks', 'sessions', 'display']),
  runs,
  `${runs}/new`,
  `${runs}/prd/:id`,
  `${runs}/:id`,
  `${runs}/:id/:id`,
];

/** Pages that a later release serves: no operation may take their paths meanwhile. ui-16.2. */
export const reservedPagePaths: readonly string[] = [
  `${monitor}/marketing`,
  ...['initiatives', 'campaigns', 'creatives', 'automations', 'approvals', 'import'].flatMap((part) =>
    withThing(`${monitor}/marketing/${part}`),
  ),
];

/** The page of a list, and that of one of its things. */
function withThing(path: string): string[] {
  return [path, `${path}/:id`];
}

/** A page, and each of its parts. A part that does not exist has no page. */
function withParts(path: string, parts: readonly string[]): string[] {
  return [path, ...parts.map((part) => `${path}/${part}`)];
}
