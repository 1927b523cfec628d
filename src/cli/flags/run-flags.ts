// The flags with which a run is created, shared by the commands that create one.
import { Option, type Command } from 'commander';
import { collect } from '../core/command.ts';
import { amountArgument } from './amount-argument.ts';
import { durationArgument } from './duration-argument.ts';
import { integerArgument } from './integer-argument.ts';

export interface BudgetFlags {
  readonly budgetUsd?: number;
  readonly budgetTokens?: number;
  readonly budgetTime?: number;
}

export interface RetryFlags extends BudgetFlags {
  readonly maxIterations?: number;
  readonly agent?: string[];
  readonly model?: string;
  readonly watch?: true;
}

export interface RunFlags extends RetryFlags {
  readonly codebase?: string;
  readonly parallel?: number;
  readonly base?: string;
  readonly branchPolicy?: 'new' | 'continue';
}

/** The flags that a retry takes, too. */
export function withRetryFlags(command: Command): Command {
  return command
    .option('--max-iterations <number>', 'most judged attempts of each story, 1 to 100', integerArgument)
    .option('--agent <name>', 'agent that implements; repeated: who takes over when one is limited', collect)
    .option('--model <model>', 'its model')
    .option('--budget-usd <amount>', 'ask when this much is spent', amountArgument)
    .option('--budget-tokens <number>', 'ask when so many tokens are used', integerArgument)
    .option('--budget-time <duration>', 'ask after this much active time, e.g. 90m or 8h', durationArgument)
    .option('--watch', 'follow the run; the exit code is its outcome');
}

export function withRunFlags(command: Command): Command {
  return withRetryFlags(command)
    .option('--codebase <codebase>', 'id, name, or a path on a worker (default: the codebase of this folder)')
    .option('--parallel <number>', 'stories at work at once, 1 to 10 (default: one after the other)', integerArgument)
    .option('--base <commit>', 'branch or commit to start from (default: HEAD)')
    .addOption(
      new Option('--branch-policy <policy>', 'new: the branch must not exist; continue: go on at its tip').choices([
        'new',
        'continue',
      ]),
    );
}

/** The members of the body that a creation and a retry have in common. */
export function retryBody({ maxIterations, agent, model, ...budget }: RetryFlags): {
  max_iterations?: number;
  agent?: string[];
  model?: string;
  budget?: { usd?: number; tokens?: number; seconds?: number };
} {
  return {
    max_iterations: maxIterations,
    agent,
    model,
    ...budgetBody(budget),
  };
}

function budgetBody({ budgetUsd, budgetTokens, budgetTime }: BudgetFlags): {
  budget?: { usd?: number; tokens?: number; seconds?: number };
} {
  if (budgetUsd === undefined && budgetTokens === undefined && budgetTime === undefined) return {};
  return {
    budget: {
      usd: budgetUsd,
      tokens: budgetTokens,
      seconds: budgetTime,
    },
  };
}

/** The options of a new run, except its codebase. */
export function runOptionsBody(flags: RunFlags): ReturnType<typeof retryBody> & {
  mode?: 'parallel';
  max_parallel?: number;
  base?: string;
  branch_policy?: 'new' | 'continue';
} {
  const { parallel, base, branchPolicy } = flags;
  return {
    ...retryBody(flags),
    ...(parallel === undefined ? {} : { mode: 'parallel', max_parallel: parallel }),
    base,
    branch_policy: branchPolicy,
  };
}
