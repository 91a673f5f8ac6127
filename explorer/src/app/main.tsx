import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import './styles.css';
import { queryClient } from '../api/query';
import { router } from './router';
import { readable, theme } from './theme';

createRoot(document.getElementById('explorer')!).render(
  <MantineProvider theme={theme} cssVariablesResolver={readable} defaultColorScheme="auto">
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </MantineProvider>,
);
