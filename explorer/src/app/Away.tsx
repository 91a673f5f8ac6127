import { Alert } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useAway } from '../api/away';

/** A line over every page while the server is away. What could not be answered meanwhile is asked again when it is back. */
export function Away() {
  const client = useQueryClient();
  const away = useAway(() => void client.refetchQueries({ predicate: ({ state }) => state.error !== null }));
  return (
    <div role="status" className="away">
      {away && (
        <Alert color="red" variant="filled" py={6} radius={0} icon={<IconPlugConnectedX size={18} aria-hidden />}>
          The server does not answer. This page stays as it is, and goes on when the server is back.
        </Alert>
      )}
    </div>
  );
}
