// Walks through a deployment: each cites the flows of the table that it shows, and runs where they say.
import { afterAll, beforeAll, describe, it, type TestContext } from 'vitest';
import { flowOf } from '../flows/flows.ts';
import type { DeploymentName } from '../flows/flow.ts';
import { Deployment } from './deployment.ts';
import { WalkContext } from './walk-context.ts';

/** @param shows ids of the table of flows */
export type Walk = (
  shows: readonly string[],
  title: string,
  go: (context: WalkContext, test: TestContext) => Promise<void>,
) => void;

interface WalksOptions {
  readonly on: readonly DeploymentName[];
  /** Settings of the service. Called once for each deployment, before it starts. */
  readonly settings?: (name: DeploymentName) => Promise<Readonly<Record<string, string>>>;
  /** Walks that disturb each other go one by one. */
  readonly oneByOne?: true;
  /** Runs once, when the deployment has started; what it opens ends before the deployment. */
  readonly prepare?: (context: WalkContext) => Promise<void>;
}

/** Walks that share a deployment, at once; at its end its database and its audit have to be whole. */
export function walks(area: string, options: WalksOptions, register: (walk: Walk) => void): void {
  describe.each(options.on)(`${area}, %s`, (name) => {
    let deployment: Deployment;
    let common: WalkContext;
    /** Those under way, by their walks; one that ran out of its time is still here at the end. */
    const contexts = new Map<string, WalkContext>();
    const show = (title: string, context: WalkContext): void =>
      void process.stderr.write(`${area}, ${name}: ${title}\n${context.report()}\n`);
    beforeAll(async () => {
      deployment = await Deployment.open(name, await options.settings?.(name));
      common = await WalkContext.open(deployment);
      await options.prepare?.(common);
    });
    afterAll(async () => {
      await using _ends = deployment;
      for (const [title, context] of contexts) show(title, context);
      await Promise.all([common, ...contexts.values()].map((context) => context[Symbol.asyncDispose]()));
      await deployment.assertSound();
    });
    const test = options.oneByOne === true ? it : it.concurrent;
    const walk: Walk = (shows, title, go) => {
      if (!shows.some((id) => flowOf(id).deployments.includes(name))) return;
      test(`${title} (${shows.join(', ')})`, async (running) => {
        await using context = await WalkContext.open(deployment);
        contexts.set(title, context);
        try {
          await go(context, running);
        } catch (error) {
          show(title, context);
          throw error;
        } finally {
          contexts.delete(title);
        }
      });
    };
    register(walk);
  });
}

/** A walk through `switchyard up`, which its file starts itself. */
export function localWalk(shows: readonly string[], title: string, go: () => Promise<void>): void {
  for (const id of shows) if (!flowOf(id).deployments.includes('local')) throw new Error(`${id} is not walked locally`);
  const test = it;
  test(`${title} (${shows.join(', ')})`, go);
}
