// Entry of the page of all parts, which is not in the product: `npm run dev:ui` and the tests open it.
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../api/query-client.ts';
import { applyDisplay } from '../display/display.ts';
import '../style/main.css';
import { PartsPage } from './parts-page.tsx';

// Links of the parts lead to pages that are not here: they are looked at and not followed.
const root = createRootRoute({ component: PartsPage, notFoundComponent: PartsPage });
const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ['/'] }) });

applyDisplay();
const place = document.getElementById('root');
if (place !== null) {
  createRoot(place).render(
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>,
  );
}
