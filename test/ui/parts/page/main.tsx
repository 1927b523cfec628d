// A page with one of the two hard views alone, fed by the test.
import { createRoot } from 'react-dom/client';
import { useKeyListener } from '../../../../ui/src/keys/key-listener.ts';
import './page.css';
import { MarkdownText } from '../../../../ui/src/parts/markdown.tsx';
import { ChangesPage } from './changes-page.tsx';
import { OutputPage } from './output-page.tsx';

function Page() {
  useKeyListener();
  return (
    <main className="h-dvh">
      <h1 className="sr-only">Parts</h1>
      <Part />
    </main>
  );
}

function Part() {
  const asked = new URLSearchParams(location.search);
  const text = asked.get('markdown');
  if (text !== null) return <MarkdownText text={text} />;
  return asked.has('changes') ? <ChangesPage /> : <OutputPage />;
}

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<Page />);
