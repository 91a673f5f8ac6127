import { Button, Paper, SegmentedControl, Slider, Stack, Switch, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { usual, type RecallSearch } from './search';

type Props = { search: RecallSearch; onChange: (part: Partial<RecallSearch>) => void };

/** How experiences are weighed: whether feedback counts, and the weights of match and recency. */
export function Ranking({ search, onChange }: Props) {
  const counts = search.feedback !== 'OFF';
  return (
    <Paper withBorder p="md" component="section" aria-label="Ranking">
      <Stack gap="md">
        <Title order={2}>Ranking</Title>
        <Switch
          label="Feedback counts"
          description="What people said moves an experience up or down."
          checked={counts}
          onChange={(event) => onChange({ feedback: event.currentTarget.checked ? undefined : 'OFF' })}
        />
        {counts && (
          <SegmentedControl
            size="xs"
            aria-label="How feedback counts"
            value={search.feedback ?? 'FIXED'}
            data={[
              { value: 'FIXED', label: 'by its sign' },
              { value: 'SMOOTHED', label: 'by its amount' },
            ]}
            onChange={(value) => onChange({ feedback: value === 'SMOOTHED' ? value : undefined })}
          />
        )}
        <Weight label="Match" value={search.match} usual={usual.semanticWeight} most={1} step={0.05} onChange={(match) => onChange({ match })} />
        <Weight label="Recency" value={search.recency} usual={usual.temporalWeight} most={1} step={0.05} onChange={(recency) => onChange({ recency })} />
        <Weight label="Half-life in days" value={search.halfLife} usual={usual.halfLifeDays} least={1} most={365} step={1} onChange={(halfLife) => onChange({ halfLife })} />
        <Button size="xs" variant="default" onClick={() => onChange({ feedback: undefined, match: undefined, recency: undefined, halfLife: undefined })}>
          Reset
        </Button>
      </Stack>
    </Paper>
  );
}

type WeightProps = { label: string; value: number | undefined; usual: number; least?: number; most: number; step: number; onChange: (value: number | undefined) => void };

/** A number on a slider. It is asked for when the slider is let go, not on the way. */
function Weight({ label, value, usual, least = 0, most, step, onChange }: WeightProps) {
  const [moving, setMoving] = useState<number>();
  const shown = moving ?? value ?? usual;
  const letGo = (to: number) => {
    setMoving(undefined);
    onChange(to === usual ? undefined : to);
  };
  return (
    <div>
      <Text size="sm" fw={500}>
        {label}: {shown}
      </Text>
      <Slider thumbLabel={label} label={null} value={shown} min={least} max={most} step={step} onChange={setMoving} onChangeEnd={letGo} />
    </div>
  );
}
