// A page with one of the two hard views alone, fed by the test.
import { createRoot } from 'react-dom/client';
import { useKeyListener } from '../../../../ui/src/keys/key-listener.ts';
import './page.css';
import { OutputPage } from './output-page.tsx';

function Page() {
  useKeyListener();
  return (
    <main className="h-dvh">
      <h1 className="sr-only">Parts</h1>
      <OutputPage />
    </main>
  );
}

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<Page />);
