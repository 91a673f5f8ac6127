import { useQuery } from '@tanstack/react-query';
import { ask } from './client';
import { ViewerDocument, type ViewerQuery } from './operations.generated';

export type Viewer = ViewerQuery['viewer'];

const roles: Viewer['role'][] = ['READER', 'WRITER', 'ADMIN'];

/** Whose memory it is, and what the key may do with it; undefined until that is known. */
export function useViewer(): Viewer | undefined {
  return useQuery({ queryKey: ['viewer'], queryFn: ({ signal }) => ask(ViewerDocument, {}, signal), staleTime: Infinity }).data?.viewer;
}

/** Whether the key has a role, or one above it; not, until that is known. */
export function useMay(role: Viewer['role']): boolean {
  const viewer = useViewer();
  return viewer !== undefined && roles.indexOf(viewer.role) >= roles.indexOf(role);
}
