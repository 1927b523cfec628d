// The commands `cluster status|scale|health|reconcile`: the Deployment that the service runs as.
import { Command } from 'commander';
import {
  clusterStatus,
  healthAnswer,
  reconcileAnswer,
  scaleAnswer,
  type CheckDetailWire,
  type ClusterPodWire,
  type ClusterStatusWire,
} from '../../contracts/cluster/k8s.ts';
import { newCommand, type CommandContext } from '../core/command.ts';
import { findConnection, withConnection, type ConnectionFlags } from '../core/connection.ts';
import { exitCodes, type ExitCode } from '../core/exit-codes.ts';
import { age, fields, printJson, table } from '../core/output.ts';
import { createCliServiceClient } from '../core/service-client.ts';
import { integerArgument } from '../flags/integer-argument.ts';

interface Flags extends ConnectionFlags {
  readonly json?: true;
}

export function clusterCommand(run: CommandContext): Command {
  const group = new Command('cluster').description('the Kubernetes Deployment that the service runs as');
  for (const command of [status(run), scale(run), health(run), reconcile(run)]) {
    group.addCommand(withConnection(command));
  }
  return group;
}

function status({ io, end }: CommandContext): Command {
  return newCommand('status', 'show the Deployment, its pods and the last check').action(async (flags: Flags) => {
    const client = createCliServiceClient(await findConnection(io, flags), io);
    const found = await client.read(client.api.GET('/v1/k8s/status'), clusterStatus);
    if (flags.json) printJson(io, found);
    else io.out(describeStatus(found, io.now()));
    end(exitCodes.ok);
  });
}

function describeStatus(found: ClusterStatusWire, now: number): string {
  const { namespace, pod, deployment, autoscaler, permissions, last_reconcile: last, pods } = found;
  const facts: [string, string][] = [
    ['namespace', namespace],
    ['pod', pod],
    ['deployment', deployment === null ? 'none: no Deployment owns this pod' : describeDeployment(deployment)],
  ];
  if (autoscaler !== null) facts.push(['autoscaler', `${autoscaler.name}, ${autoscaler.min} to ${autoscaler.max}`]);
  if (permissions.missing.length > 0) facts.push(['missing', `${permissions.missing.join(', ')} (docs/DEPLOY.md)`]);
  facts.push(['last check', last === null ? 'none yet' : describeCheck(last, now)]);
  const headings = ['POD', 'PHASE', 'READY', 'RESTARTS', 'AGE', 'NODE', 'CURRENT', 'UNHEALTHY'];
  const rows = pods.map((each) => rowOf(each, now));
  return `${fields(facts)}${pods.length === 0 ? '' : `\n${table(headings, rows)}`}`;
}

function describeDeployment(deployment: NonNullable<ClusterStatusWire['deployment']>): string {
  const { name, replicas, ready, updated, paused } = deployment;
  return `${name}, ${ready} of ${replicas} ready, ${updated} of the newest template${paused ? ', paused' : ''}`;
}

function describeCheck(last: NonNullable<ClusterStatusWire['last_reconcile']>, now: number): string {
  const parts = [
    `${last.outcome}, ${age(last.at, now)} ago by ${last.replica}`,
    `${last.unhealthy} of ${last.checked} unhealthy`,
    ...(last.restarted.length === 0 ? [] : [`restarted ${last.restarted.join(', ')}`]),
    ...last.held_back.map(({ pod, reason }) => `${pod} held back by ${reason}`),
    ...(last.error === null ? [] : [last.error.message]),
  ];
  return parts.join('; ');
}

function rowOf(pod: ClusterPodWire, now: number): string[] {
  return [
    pod.name,
    pod.phase,
    pod.ready ? 'yes' : 'no',
    String(pod.restarts),
    pod.started_at === null ? '-' : age(pod.started_at, now),
    pod.node ?? '-',
    pod.current ? 'yes' : 'no',
    pod.unhealthy_reason ?? '-',
  ];
}

function scale({ io, end }: CommandContext): Command {
  return newCommand('scale', 'scale the Deployment')
    .argument('<replicas>', 'wanted number of pods', integerArgument)
    .action(async (replicas: number, flags: Flags) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const answer = await client.read(client.api.POST('/v1/k8s/scale', { body: { replicas } }), scaleAnswer);
      const { deployment, from, to, changed } = answer.detail;
      if (flags.json) printJson(io, answer);
      else
        io.out(changed ? `scaled ${deployment} from ${from} to ${to}\n` : `${deployment} has ${to} replicas already\n`);
      end(exitCodes.ok);
    });
}

function health({ io, end }: CommandContext): Command {
  return newCommand('health', 'check the pods now, and restart unhealthy ones')
    .option('--restart-all', 'replace every pod, healthy ones too')
    .action(async ({ restartAll, ...flags }: Flags & { readonly restartAll?: true }) => {
      const client = createCliServiceClient(await findConnection(io, flags), io);
      const body = restartAll === true ? { restart: 'all' as const } : {};
      const answer = await client.read(client.api.POST('/v1/k8s/health', { body }), healthAnswer);
      if (flags.json) printJson(io, answer);
      else io.out(describeDetail(answer.detail));
      end(exitCodeOf(answer));
    });
}

function reconcile({ io, end }: CommandContext): Command {
  return newCommand('reconcile', 'apply the manifest and check the pods now').action(async (flags: Flags) => {
    const client = createCliServiceClient(await findConnection(io, flags), io);
    const answer = await client.read(client.api.POST('/v1/k8s/reconcile', { body: {} }), reconcileAnswer);
    if (flags.json) printJson(io, answer);
    else io.out(`manifest: ${answer.detail.deployment}\n${describeDetail(answer.detail)}`);
    end(exitCodeOf(answer));
  });
}

/** Everything was held back: the state of the cluster does not allow it now. */
function exitCodeOf({ accepted }: { readonly accepted: boolean }): ExitCode {
  return accepted ? exitCodes.ok : exitCodes.conflict;
}

function describeDetail({ checked, unhealthy, restarting, held_back }: CheckDetailWire): string {
  const ill = unhealthy.map(({ pod, reason, since }) => `unhealthy  ${pod}  ${reason} since ${since}\n`);
  const restarts = restarting.map((pod) => `restarting  ${pod}\n`);
  const held = held_back.map(({ pod, reason, until }) => {
    return `held back  ${pod}  ${reason}${until === undefined ? '' : ` until ${until}`}\n`;
  });
  return [`checked ${checked} pods, ${unhealthy.length} unhealthy\n`, ...ill, ...restarts, ...held].join('');
}
