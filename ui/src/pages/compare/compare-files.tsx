// The files that the compared tasks changed: in which, equal or different; a file opens its patches side by side.
import { useNavigate } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { StatusCounts } from '../../parts/diff/patch/status-counts.tsx';
import { FreeText } from '../../parts/marks/free-text.tsx';
import { cleanTitle } from '../../text/clean.ts';
import { compareWords as words } from '../../words/tasks/en-compare.ts';
import { fileRows, type ComparedColumn, type FileRow } from './columns.ts';
import { nameOf } from './compare-facts.tsx';
import { ComparePatch } from './compare-patch.tsx';

const cell = 'border-b border-line px-3 py-0.5 text-start align-middle';

export function CompareFiles({
  columns,
  file,
}: {
  readonly columns: readonly ComparedColumn[];
  readonly file: string | undefined;
}): ReactNode {
  const rows = useMemo(() => fileRows(columns), [columns]);
  const open = rows.find(({ path }) => path === file);
  return (
    <section aria-labelledby="compare-files">
      <h2 id="compare-files" className="mb-2 font-semibold">
        {words.files}
      </h2>
      {rows.length === 0 ? (
        <p className="text-soft">{words.noFiles}</p>
      ) : (
        <div role="region" aria-label={words.fileTable} tabIndex={0} className="max-h-[60dvh] overflow-auto">
          <table className="w-full min-w-fit border-collapse text-sm">
            <thead>
              <tr>
                <th scope="col" className={cell}>
                  {words.file}
                </th>
                <th scope="col" className={cell}>
                  {words.verdict}
                </th>
                {columns.map((column) => (
                  <th key={column.key} scope="col" className={`${cell} min-w-28`}>
                    <FreeText text={nameOf(column)} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <FileRowView key={row.path} row={row} columns={columns} isOpen={row === open} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {open === undefined ? null : <Patches columns={columns} row={open} />}
    </section>
  );
}

function FileRowView({
  row,
  columns,
  isOpen,
}: {
  readonly row: FileRow;
  readonly columns: readonly ComparedColumn[];
  readonly isOpen: boolean;
}): ReactNode {
  const navigate = useNavigate();
  const { path, changes, versions, verdict } = row;
  const there = changes.filter((change) => change !== undefined).length;
  return (
    <tr className={isOpen ? 'bg-sunk' : ''}>
      <th scope="row" className={`${cell} font-normal`}>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={words.openFile(cleanTitle(path))}
          className="min-h-(--control) text-start font-mono text-mono break-all text-accent underline"
          onClick={() =>
            void navigate({
              to: '/v1/monitor/compare',
              search: (before) => ({ ...before, file: isOpen ? undefined : path }),
              replace: true,
              resetScroll: false,
            })
          }
        >
          <FreeText text={path} />
        </button>
      </th>
      <td className={`${cell} whitespace-nowrap`}>
        {verdict === 'equal' ? (
          <span className="text-soft">{words.equal}</span>
        ) : (
          <span className="font-semibold">{verdict === 'different' ? words.different : words.onlyIn(there)}</span>
        )}
      </td>
      {changes.map((change, index) => (
        <td key={columns[index]?.key} className={`${cell} whitespace-nowrap`}>
          {change === undefined ? (
            <span className="text-soft">{words.absent}</span>
          ) : (
            <>
              <StatusCounts file={change} />{' '}
              {Math.max(...versions.map((version) => version ?? 1)) === 1 ? null : (
                <span className="text-soft">{words.version(versions[index] ?? 1)}</span>
              )}
            </>
          )}
        </td>
      ))}
    </tr>
  );
}

function Patches({ columns, row }: { readonly columns: readonly ComparedColumn[]; readonly row: FileRow }): ReactNode {
  return (
    <section aria-label={words.patches(cleanTitle(row.path))} className="mt-4">
      <h3 className="mb-2 font-mono text-mono font-semibold break-all">
        <FreeText text={row.path} />
      </h3>
      <div className={`grid gap-3 ${columns.length > 2 ? 'lg:grid-cols-2' : 'md:grid-cols-2'}`}>
        {columns.map((column, index) => (
          <ComparePatch key={column.key} column={column} name={nameOf(column)} change={row.changes[index]} />
        ))}
      </div>
    </section>
  );
}
