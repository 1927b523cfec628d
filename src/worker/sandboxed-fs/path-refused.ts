// A path that an agent may not use, or that has the wrong kind of entry.

export class PathRefused extends Error {
  /**
   * `outside`: it leads out of the workspace. `guarded`: it belongs to git or the worker. The others are what they say.
   */
  readonly code:
    'outside' | 'guarded' | 'not_found' | 'not_a_folder' | 'not_a_file' | 'exists' | 'too_large' | 'bad_path';

  constructor(code: PathRefused['code'], message: string) {
    super(message);
    this.name = 'PathRefused';
    this.code = code;
  }
}
