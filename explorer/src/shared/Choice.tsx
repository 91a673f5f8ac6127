import { NativeSelect } from '@mantine/core';
import { heading } from './shortened';

type Option = { value: string; label: string };

/** One of some values, or any. A value that is none of them, such as one that a link brings, stands among them all the same: it is what is chosen. */
export function Choice(props: { label: string; value: string | undefined; options: readonly (Option | string)[]; any?: string; onChange: (value: string | undefined) => void }) {
  const { label, value, options, any = 'any', onChange } = props;
  const named = options.map((option) => (typeof option === 'string' ? { value: option, label: heading(option) } : { ...option, label: heading(option.label) }));
  const known = value === undefined || named.some((option) => value === option.value);
  return (
    <NativeSelect
      label={label}
      size="sm"
      value={value ?? ''}
      data={[{ value: '', label: heading(any) }, ...named, ...(known ? [] : [value])]}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}
