// The places of the side bar by the group that they stand in; a group has its heading and lines around it.
import { useId, type ReactNode } from 'react';
import { frameWords as words } from '../words/en-frame.ts';
import type { Place } from './places.ts';

/** Names in a bar of icons are seen while it is open. */
export const nameClass = 'sr-only lg:not-sr-only group-hover/bar:not-sr-only group-has-focus-visible/bar:not-sr-only';

interface PlaceRun {
  readonly group: Place['group'];
  readonly members: readonly Place[];
}

export function PlaceGroups({
  places,
  children,
}: {
  readonly places: readonly Place[];
  /** Draws one. */
  readonly children: (place: Place) => ReactNode;
}): ReactNode {
  return runsOf(places).map(({ group, members }) => (
    <PlaceGroup key={members[0]?.id} group={group}>
      {members.map(children)}
    </PlaceGroup>
  ));
}

/** Places of one group that stand beside each other. */
function runsOf(places: readonly Place[]): readonly PlaceRun[] {
  const runs: { group: Place['group']; members: Place[] }[] = [];
  for (const place of places) {
    const last = runs.at(-1);
    if (last !== undefined && last.group === place.group) last.members.push(place);
    else runs.push({ group: place.group, members: [place] });
  }
  return runs;
}

function PlaceGroup({ group, children }: { readonly group: Place['group']; readonly children: ReactNode }): ReactNode {
  const id = useId();
  if (group === undefined) return children;
  return (
    <div role="group" aria-labelledby={id} className="my-1 flex flex-col gap-px border-y border-line py-1">
      <p id={id} className={`px-2.5 py-1 text-xs whitespace-nowrap text-soft ${nameClass}`}>
        {words.placeGroups[group]}
      </p>
      {children}
    </div>
  );
}
