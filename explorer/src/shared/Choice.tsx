import { NativeSelect } from '@mantine/core';

type Option = { value: string; label: string };

/** One of some values, or any. A value that is none of them, such as one that a link brings, stands among them all the same: it is what is chosen. */
export function Choice(props: { label: string; value: string | undefined; options: readonly (Option | string)[]; any?: string; onChange: (value: string | undefined) => void }) {
  const { label, value, options, any = 'any', onChange } = props;
  const known = value === undefined || options.some((option) => value === (typeof option === 'string' ? option : option.value));
  return (
    <NativeSelect
      label={label}
      size="sm"
      value={value ?? ''}
      data={[{ value: '', label: any }, ...options, ...(known ? [] : [value])]}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}
