// How the pages look in this browser.
import type { ReactNode } from 'react';
import { setDisplay, useDisplay } from '../../display/display.ts';
import { Button } from '../../parts/controls/button.tsx';
import { CheckBox, SelectField } from '../../parts/controls/field.tsx';
import { settingsWords } from '../../words/service/en-settings.ts';

const words = settingsWords.display;

export function DisplayPart(): ReactNode {
  const { theme, density, zone, wrap, keys, words: chosenWords, direction } = useDisplay();
  return (
    <form className="grid max-w-md gap-5 p-(--page)" onSubmit={(event) => event.preventDefault()}>
      <SelectField
        label={words.theme}
        value={theme}
        onChange={(value) => setDisplay({ theme: value })}
        choices={(['system', 'light', 'dark'] as const).map((choice) => ({
          value: choice,
          label: words.themes[choice],
        }))}
      />
      <SelectField
        label={words.density}
        value={density}
        onChange={(value) => setDisplay({ density: value })}
        choices={(['normal', 'dense'] as const).map((choice) => ({ value: choice, label: words.densities[choice] }))}
      />
      <SelectField
        label={words.zone}
        value={zone}
        onChange={(value) => setDisplay({ zone: value })}
        choices={(['browser', 'utc'] as const).map((choice) => ({ value: choice, label: words.zones[choice] }))}
      />
      <Switch
        label={words.wrap}
        hint={words.wrapHint}
        checked={wrap}
        onChange={(value) => setDisplay({ wrap: value })}
      />
      <Switch
        label={words.keys}
        hint={words.keysHint}
        checked={keys}
        onChange={(value) => setDisplay({ keys: value })}
      />
      <SelectField
        label={words.words}
        value={chosenWords}
        onChange={(value) => setDisplay({ words: value })}
        choices={(['en', 'pseudo'] as const).map((choice) => ({ value: choice, label: words.wordsChoices[choice] }))}
      />
      <SelectField
        label={words.direction}
        value={direction}
        onChange={(value) => setDisplay({ direction: value })}
        choices={(['ltr', 'rtl'] as const).map((choice) => ({ value: choice, label: words.directions[choice] }))}
      />
      <div>
        <Button onClick={() => location.reload()}>{words.reload}</Button>
        <p className="mt-2 text-xs text-soft">{words.kept}</p>
      </div>
    </form>
  );
}

/** Its hint is no part of its name. */
function Switch({
  label,
  hint,
  checked,
  onChange,
}: {
  readonly label: string;
  readonly hint: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}): ReactNode {
  return (
    <div>
      <CheckBox label={label} checked={checked} onChange={onChange} />
      <p className="ms-6 text-xs text-soft">{hint}</p>
    </div>
  );
}
