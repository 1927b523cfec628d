// The hosts by which analytics recognizes search engines and social networks: those of channel-hosts.json, or an operator's file of
// the same form.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { ChannelHosts } from '../../../domain/attribution/channels/classify-touch.ts';
import { HostList, isHostPattern } from '../../../domain/attribution/channels/host-list.ts';
import { ConfigError } from '../errors/config-error.ts';

const bundledHosts = new URL('channel-hosts.json', import.meta.url);
const hosts = z
  .array(z.string().refine(isHostPattern))
  .max(10_000)
  .transform((patterns) => new HostList(patterns));
const table = z.strictObject({ search: hosts, social: hosts });

/**
 * Reads the hosts. platform-5.3.
 * @param file an operator's file; undefined: the built-in one
 * @throws ConfigError when it cannot be read or has another form
 */
export async function readChannelHosts(file: string | undefined): Promise<ChannelHosts> {
  const sourceLabel = `ANALYTICS_CHANNELS_FILE ${file ?? 'default'}`;
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file ?? bundledHosts, 'utf8'));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(`${sourceLabel} cannot be read: ${why}`, { cause });
  }
  const parsed = table.safeParse(value);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new ConfigError(
    `${sourceLabel}: write {"search": [...], "social": [...]} with hosts in lower case, such as example.com or example.*${where === '' ? '' : ` (wrong: ${where})`}`,
  );
}
