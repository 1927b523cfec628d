// The agent cards as they are served: their facts gathered for the caller, in the form asked for, signed.
import { AgentCard } from '@a2a-js/sdk';
import type { Caller } from '../../../domain/model/access/caller.ts';
import type { Store } from '../../../domain/ports/store/store.ts';
import { listCodebases } from '../../../domain/codebases/manage.ts';
import { abilitiesOf } from '../../../domain/tasks/routing/abilities.ts';
import type { Roster } from '../../../domain/tasks/routing/roster.ts';
import { cardIn, type CardFacts, type CardForm, type CardJson } from './card-forms.ts';
import type { CardSigner } from './card-signature.ts';
import { codebaseSkills, skillsOf } from './skills.ts';

export interface CardOptions {
  /**
   * Address of the service, without a trailing slash; asked for at each call, for a port may be known late.
   * @param told what a trusted proxy says of it
   */
  readonly base: (told: string | undefined) => string;
  readonly version: string;
  /** True when push notifications are sent. */
  readonly pushNotifications: boolean;
  readonly openIdConnectUrl: string | undefined;
  /** Undefined: cards are not signed. */
  readonly signer: CardSigner | undefined;
}

export interface Cards {
  /** What any caller sees. @param told see `CardOptions.base` @throws DomainError unavailable */
  readonly open: (caller: Caller, form: CardForm, told: string | undefined) => Promise<CardJson>;
  /** With the codebases that the caller's tenant has. @throws DomainError unavailable */
  readonly extended: (caller: Caller, form: CardForm, told: string | undefined) => Promise<CardJson>;
}

interface CardDeps {
  readonly store: Store;
  readonly roster: Roster;
}

export function agentCards(deps: CardDeps, options: CardOptions): Cards {
  const { base, version, pushNotifications, openIdConnectUrl, signer } = options;
  const factsFor = async (caller: Caller, told: string | undefined): Promise<CardFacts> => ({
    // What is signed is an address that we know ourselves.
    base: base(signer === undefined ? told : undefined),
    version,
    pushNotifications,
    openIdConnectUrl,
    skills: skillsOf(await abilitiesOf(deps, caller)),
  });
  const signed = (card: CardJson): CardJson =>
    signer === undefined ? card : { ...card, signatures: signer.signaturesOf(card) };
  return {
    open: async (caller, form, told) => signed(cardIn(form, await factsFor(caller, told))),
    async extended(caller, form, told) {
      const [facts, { codebases }] = await Promise.all([
        factsFor(caller, told),
        listCodebases(deps, caller, { limit: 100, before: undefined, workerId: undefined }),
      ]);
      return signed(cardIn(form, { ...facts, skills: [...facts.skills, ...codebaseSkills(codebases)] }));
    },
  };
}

/** The card as the SDK's handlers ask for it: they look at the capabilities alone. */
export function cardObject({
  version,
  pushNotifications,
}: Pick<CardOptions, 'version' | 'pushNotifications'>): AgentCard {
  return AgentCard.fromJSON({ name: 'Switchyard', version, capabilities: { streaming: true, pushNotifications } });
}
