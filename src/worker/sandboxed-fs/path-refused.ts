// A path that an agent may not use, or that does not lead to what it asked for.

export class PathRefused extends Error {
  /** `outside`: it leads out of the work place. `guarded`: it is git's own. The others are what they say. */
  readonly code:
    'outside' | 'guarded' | 'not_found' | 'not_a_folder' | 'not_a_file' | 'exists' | 'too_large' | 'bad_path';

  constructor(code: PathRefused['code'], message: string) {
    super(message);
    this.name = 'PathRefused';
    this.code = code;
  }
}
