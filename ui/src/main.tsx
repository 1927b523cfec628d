// Begins the page: finds or makes the session, then renders.
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.ts';
import { applyDisplay } from './display/display.ts';
import { notifyError } from './parts/states/notices.tsx';
import { router } from './router.tsx';
import { findSession } from './session/session.ts';
import { signIn, takeCode } from './session/sign-in.ts';
import './style/main.css';

const code = takeCode();
applyDisplay();
reloadForNewChunks();
await findSession();
if (code !== undefined) await signIn(code).catch(notifyError);

const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no place for its content.');
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);

/** A newer build has other files: one reload brings its page. */
function reloadForNewChunks(): void {
  addEventListener('vite:preloadError', (event) => {
    if (sessionStorage.getItem('switchyard_reloaded') === location.href) return;
    sessionStorage.setItem('switchyard_reloaded', location.href);
    event.preventDefault();
    location.reload();
  });
}
