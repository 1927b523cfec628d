// Samples of controls: buttons, fields, lines to copy, menus, tabs.
import { useState, type ReactNode } from 'react';
import { Button, type ButtonProps } from '../parts/controls/button.tsx';
import { CodeLine } from '../parts/controls/code-line.tsx';
import { CopyMenu } from '../parts/controls/copy-menu.tsx';
import { CheckBox, SelectField, TextArea, TextField } from '../parts/controls/field.tsx';
import { Menu } from '../parts/controls/menu.tsx';
import { Tabs, type TabLink } from '../parts/controls/tabs.tsx';
import { QrCode } from '../parts/qr.tsx';
import { samples } from './samples.ts';

const nothing = (): void => undefined;
const row = 'mb-2 flex flex-wrap items-center gap-2';
const kinds = ['plain', 'primary', 'danger', 'quiet'] as const;
const states: Readonly<Record<string, Partial<ButtonProps>>> = {
  ready: {},
  busy: { busy: true },
  pressed: { pressed: true },
  'not allowed': { disabledReason: samples.reason },
};

export function Buttons(): ReactNode {
  return kinds.map((kind) => (
    <div key={kind} className={row}>
      {Object.entries(states).map(([state, props]) => (
        <Button key={state} kind={kind} {...props}>
          {`${kind}, ${state}`}
        </Button>
      ))}
    </div>
  ));
}

const choices = ['one', 'two', 'three'].map((value) => ({ value, label: value }));

export function Fields(): ReactNode {
  const [text, setText] = useState<string>(samples.short);
  const [choice, setChoice] = useState('one');
  const [isOn, setOn] = useState(true);
  const shared = { value: text, onChange: setText };
  return (
    <div className="grid gap-4 md:grid-cols-3">
      <TextField {...shared} label="text" />
      <TextField {...shared} label="with a hint" hint={samples.hint} />
      <TextField {...shared} label="with an error" error={samples.error} />
      <TextField {...shared} label="read only, mono" readOnly mono />
      <TextField {...shared} label="search" type="search" placeholder="search" />
      <TextField {...shared} label="with suggestions" list={['one', 'two']} />
      <TextField label="number" type="number" value="3" onChange={nothing} />
      <TextField label="time" type="datetime-local" value="2026-03-01T12:00" onChange={nothing} />
      <SelectField label="choice" value={choice} onChange={setChoice} choices={choices} />
      <TextArea {...shared} label="area" rows={3} />
      <TextArea {...shared} label="area with an error" rows={3} error={samples.error} mono />
      <div className="grid content-start gap-2">
        <CheckBox label="checked" checked={isOn} onChange={setOn} hint={samples.hint} />
        <CheckBox label="not checked" checked={!isOn} onChange={(checked) => setOn(!checked)} />
        <CheckBox label="off" checked={false} onChange={nothing} disabled />
      </div>
    </div>
  );
}

export function Codes(): ReactNode {
  const words = { copyLabel: 'Copy', copiedLabel: 'Copied' };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <CodeLine text={samples.command} {...words} />
      <CodeLine text={samples.longCommand} {...words} />
      <CodeLine text={samples.longCommand} {...words} wrap={false} />
      <QrCode text={samples.address} label="QR code" />
    </div>
  );
}

export function Menus(): ReactNode {
  const entries = [
    { id: 'a', label: 'Retry', onSelect: nothing, keys: 'r' },
    { id: 'b', label: 'Pause', onSelect: nothing, disabledReason: samples.reason },
    { id: 'c', label: 'Cancel task', onSelect: nothing, danger: true },
  ];
  const call = { method: 'GET', path: '/v1/agent/tasks/1' };
  return (
    <div className={row}>
      <Menu label="Actions" entries={entries} />
      <Menu label="More" entries={entries} kind="quiet" />
      <CopyMenu link="/v1/monitor/tasks/1" id="1" call={call} command={samples.command} json={samples.json} />
    </div>
  );
}

export function TabLinks(): ReactNode {
  const tabs: readonly TabLink[] = ['a2a', 'mcp', 'rest', 'tools'].map((part, index): TabLink => ({
    id: part,
    label: part,
    count: index === 1 ? 3 : undefined,
    link: { to: '/v1/monitor/inspector/$part', params: { part } },
  }));
  return <Tabs label="Tabs" tabs={tabs} current="mcp" />;
}
