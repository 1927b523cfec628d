// What can be wrong with a work place: each with a code for programs and a sentence that says what to do.

export type WorkspaceErrorCode = 'workspace_missing' | 'workspace_unusable' | 'workspace_timeout';

export class WorkspaceError extends Error {
  readonly code: WorkspaceErrorCode;

  constructor(code: WorkspaceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WorkspaceError';
    this.code = code;
  }
}
