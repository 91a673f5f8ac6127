import { Choice } from './Choice';
import { timeRangeOptions } from './choices';
import type { RangeSearch } from './range';
import { WhenInput } from './WhenInput';

type Props = { search: RangeSearch; any?: string; onChange: (range: RangeSearch) => void };

/** Chooses the time range: a preset, or dates of one's own, of which either may be left out. */
export function Range({ search: { range, from, to }, any = 'any time', onChange }: Props) {
  return (
    <>
      <Choice
        label="Began in"
        value={from || to ? 'own' : range}
        options={from || to ? [...timeRangeOptions, { value: 'own', label: 'own dates' }] : timeRangeOptions}
        any={any}
        onChange={(chosen) => onChange({ range: chosen as RangeSearch['range'], from: undefined, to: undefined })}
      />
      <WhenInput label="From" value={from} onChange={(chosen) => onChange({ range: undefined, from: chosen, to })} />
      <WhenInput label="Until" value={to} onChange={(chosen) => onChange({ range: undefined, from, to: chosen })} />
    </>
  );
}
