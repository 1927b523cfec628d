// The user that PostgreSQL runs as when the service is root, or has no name: initdb refuses a uid that no name has.
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { errorCode } from '../../../../lib/system/error-code.ts';

/** A user's and a group's number. */
export interface UserIds {
  readonly uid: number;
  readonly gid: number;
}

/** Whether this process's uid has a name, from wherever the system takes names. `docker run --user 4711` has none. */
export function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch (error) {
    // ERR_SYSTEM_ERROR from getpwuid
    if (errorCode(error) !== undefined) return false;
    throw error;
  }
}

/** A user of this system that is neither root nor a person, or undefined when it has none. */
export async function findSystemUser(): Promise<UserIds | undefined> {
  try {
    return pickSystemUser(await readFile('/etc/passwd', 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** `postgres` when there is one, else `nobody`, else the first that is not root, from the text of /etc/passwd. */
export function pickSystemUser(passwd: string): UserIds | undefined {
  const users = passwd.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return /^[1-9]\d*$/.test(uid ?? '') ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
  const user =
    users.find(({ name }) => name === 'postgres') ?? users.find(({ name }) => name === 'nobody') ?? users.at(0);
  return user && { uid: user.uid, gid: user.gid };
}
