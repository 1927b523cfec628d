// The agent cards as they are served: their facts gathered for the caller, in the form asked for, signed.
import { AgentCard } from '@a2a-js/sdk';
import type { Caller } from '../../../domain/model/access/caller.ts';
import type { Store } from '../../../domain/ports/store/store.ts';
import { listCodebases } from '../../../domain/codebases/manage.ts';
import { findOnlineCapabilities } from '../../../domain/tasks/routing/online-capabilities.ts';
import type { WorkerDirectory } from '../../../domain/tasks/routing/worker-directory.ts';
import { buildCard, type CardInfo, type CardFormat, type CardJson } from './card-formats.ts';
import type { CardSigner } from './card-signature.ts';
import { codebaseSkills, buildSkills } from './skills.ts';

export interface CardOptions {
  /**
   * Address of the service, without a trailing slash; asked for at each call, for a port may be known late.
   * @param forwardedOrigin what a trusted proxy says of it
   */
  readonly base: (forwardedOrigin: string | undefined) => string;
  readonly version: string;
  /** True when push notifications are sent. */
  readonly pushNotifications: boolean;
  readonly openIdConnectUrl: string | undefined;
  /** Undefined: cards are not signed. */
  readonly signer: CardSigner | undefined;
}

export interface Cards {
  /** What any caller sees. @param forwardedOrigin see `CardOptions.base` @throws DomainError unavailable */
  readonly publicCard: (caller: Caller, format: CardFormat, forwardedOrigin: string | undefined) => Promise<CardJson>;
  /** With the codebases that the caller's tenant has. @throws DomainError unavailable */
  readonly extendedCard: (caller: Caller, format: CardFormat, forwardedOrigin: string | undefined) => Promise<CardJson>;
}

interface CardDeps {
  readonly store: Store;
  readonly workerDirectory: WorkerDirectory;
}

export function createAgentCards(deps: CardDeps, options: CardOptions): Cards {
  const { base, version, pushNotifications, openIdConnectUrl, signer } = options;
  const loadCardInfo = async (caller: Caller, forwardedOrigin: string | undefined): Promise<CardInfo> => ({
    // What is signed is an address that we know ourselves.
    base: base(signer === undefined ? forwardedOrigin : undefined),
    version,
    pushNotifications,
    openIdConnectUrl,
    skills: buildSkills(await findOnlineCapabilities(deps, caller)),
  });
  const signed = (card: CardJson): CardJson =>
    signer === undefined ? card : { ...card, signatures: signer.signaturesOf(card) };
  return {
    publicCard: async (caller, format, forwardedOrigin) =>
      signed(buildCard(format, await loadCardInfo(caller, forwardedOrigin))),
    async extendedCard(caller, format, forwardedOrigin) {
      const [info, { codebases }] = await Promise.all([
        loadCardInfo(caller, forwardedOrigin),
        listCodebases(deps, caller, { limit: 100, before: undefined, workerId: undefined }),
      ]);
      return signed(buildCard(format, { ...info, skills: [...info.skills, ...codebaseSkills(codebases)] }));
    },
  };
}

/** The card as the SDK's handlers ask for it: they look at the capabilities alone. */
export function cardToSdk({
  version,
  pushNotifications,
}: Pick<CardOptions, 'version' | 'pushNotifications'>): AgentCard {
  return AgentCard.fromJSON({ name: 'Switchyard', version, capabilities: { streaming: true, pushNotifications } });
}
