import { Button, Paper } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';

/** That something came while the page was read: it stays as it is until the reader wants to see it. */
export function News({ what, onShow }: { what: string | undefined; onShow: () => void }) {
  return (
    <div role="status" className="news">
      {what && (
        <Paper shadow="sm">
          <Button fullWidth size="xs" variant="light" leftSection={<IconBell size={14} aria-hidden />} onClick={onShow}>
            {what}: show
          </Button>
        </Paper>
      )}
    </div>
  );
}
