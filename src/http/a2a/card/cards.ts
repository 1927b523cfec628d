// The agent cards as served: collects the facts for the caller, builds the requested format, and signs it.
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
   * Address of the service, without a trailing slash. Called for each request, because the port may be known late.
   * @param forwardedOrigin the service's origin as a trusted proxy reports it
   */
  readonly base: (forwardedOrigin: string | undefined) => string;
  readonly version: string;
  /** True when push notifications are sent. */
  readonly pushNotifications: boolean;
  readonly openIdConnectUrl: string | undefined;
  /** Undefined when cards are not signed. */
  readonly signer: CardSigner | undefined;
}

export interface Cards {
  /** The card for every caller. @param forwardedOrigin see `CardOptions.base` @throws DomainError unavailable */
  readonly publicCard: (caller: Caller, format: CardFormat, forwardedOrigin: string | undefined) => Promise<CardJson>;
  /** The card with the codebases of the caller's tenant as skills. @throws DomainError unavailable */
  readonly extendedCard: (caller: Caller, format: CardFormat, forwardedOrigin: string | undefined) => Promise<CardJson>;
}

interface CardDeps {
  readonly store: Store;
  readonly workerDirectory: WorkerDirectory;
}

export function createAgentCards(deps: CardDeps, options: CardOptions): Cards {
  const { base, version, pushNotifications, openIdConnectUrl, signer } = options;
  const loadCardInfo = async (caller: Caller, forwardedOrigin: string | undefined): Promise<CardInfo> => ({
    // A signed card never states an address that a request header supplied.
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

/** The card for the SDK's handlers, which read its capabilities alone. */
export function cardToSdk({
  version,
  pushNotifications,
}: Pick<CardOptions, 'version' | 'pushNotifications'>): AgentCard {
  return AgentCard.fromJSON({ name: 'Switchyard', version, capabilities: { streaming: true, pushNotifications } });
}
