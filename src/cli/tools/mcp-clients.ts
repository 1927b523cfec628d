// Configurations that connect common MCP clients to this service. None holds a token: each names the variable,
// or prompts for it.

export interface ClientRow {
  readonly name: string;
  readonly title: string;
  /** The file or command that takes the text. */
  readonly file: string;
  /** A further step, in one sentence. */
  readonly note: string;
  readonly text: (url: string, serviceUrl: string) => string;
}

const variable = 'SWITCHYARD_TOKEN';
const inVariable = `Set ${variable} in the environment of the client.`;

/** Observed with version 0.61: without this setting it shows no tools. */
const geminiTrust =
  "A project's settings are read in a trusted folder alone, which GEMINI_CLI_TRUST_WORKSPACE=true makes it where nobody " +
  'can be asked (--skip-trust comes too late for them). There it also leaves out tools that would ask: add "trust": true ' +
  'beside httpUrl.';

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** For clients with their own syntax for variables. */
function httpServer(url: string, type: Record<string, string>, token: string): Record<string, unknown> {
  return { ...type, url, headers: { Authorization: `Bearer ${token}` } };
}

/** A program that a client starts, for clients that connect only to local programs. */
function localServer(serviceUrl: string): Record<string, unknown> {
  return { command: 'switchyard', args: ['mcp', 'stdio', '--url', serviceUrl] };
}

export const clientRows: readonly ClientRow[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    file: '.mcp.json in the project',
    note: inVariable,
    text: (url) => json({ mcpServers: { switchyard: httpServer(url, { type: 'http' }, `\${${variable}}`) } }),
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    file: 'claude_desktop_config.json',
    note: `It only starts local programs: add "env": {"${variable}_FILE": "/path/of/a/file"} with a file that holds the token.`,
    text: (_url, serviceUrl) => json({ mcpServers: { switchyard: localServer(serviceUrl) } }),
  },
  {
    name: 'codex',
    title: 'Codex',
    file: '~/.codex/config.toml',
    note: inVariable,
    text: (url) => `[mcp_servers.switchyard]\nurl = ${JSON.stringify(url)}\nbearer_token_env_var = "${variable}"`,
  },
  {
    name: 'cursor',
    title: 'Cursor',
    file: '.cursor/mcp.json in the project',
    note: inVariable,
    text: (url) => json({ mcpServers: { switchyard: httpServer(url, {}, `\${env:${variable}}`) } }),
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    file: '.gemini/settings.json in the project, or in the home folder',
    note: `${inVariable} ${geminiTrust}`,
    text: (url) =>
      json({ mcpServers: { switchyard: { httpUrl: url, headers: { Authorization: `Bearer $${variable}` } } } }),
  },
  {
    name: 'opencode',
    title: 'opencode',
    file: 'opencode.json in the project',
    note: inVariable,
    text: (url) => json({ mcp: { switchyard: httpServer(url, { type: 'remote' }, `{env:${variable}}`) } }),
  },
  {
    name: 'vscode',
    title: 'VS Code',
    file: '.vscode/mcp.json in the workspace',
    note: 'It asks for the token when it first connects.',
    text: (url) =>
      json({
        inputs: [{ type: 'promptString', id: 'switchyard-token', description: 'Switchyard token', password: true }],
        servers: { switchyard: httpServer(url, { type: 'http' }, '${input:switchyard-token}') },
      }),
  },
  {
    name: 'stdio',
    title: 'a client that starts local programs',
    file: 'its configuration',
    note: `The program reads ${variable} or ${variable}_FILE, or the file that \`switchyard up\` wrote to its data folder.`,
    text: (_url, serviceUrl) => json(localServer(serviceUrl)),
  },
];
