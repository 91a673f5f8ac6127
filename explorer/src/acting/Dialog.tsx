import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Failed } from '../shared/Answered';

type Props = { title: string; act: string; danger?: boolean; disabled?: boolean; busy: boolean; error: Error | null; onAct: () => void; onClose: () => void; children: ReactNode };

/** Shows what would be done, and does it when that is confirmed. */
export function Dialog({ title, act, danger = false, disabled = false, busy, error, onAct, onClose, children }: Props) {
  return (
    <Modal.Root opened onClose={onClose}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body pt="md">
          <Modal.Title fw={600} mb="sm">
            {title}
          </Modal.Title>
          <Stack>
            {children}
            {error && <Failed error={error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button color={danger ? 'red' : undefined} loading={busy} disabled={disabled} onClick={onAct}>
                {act}
              </Button>
            </Group>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
