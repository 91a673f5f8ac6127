import { NativeSelect } from '@mantine/core';

type Option = { value: string; label: string };

/** One of some values, or any. */
export function Choice(props: { label: string; value: string | undefined; options: readonly (Option | string)[]; any?: string; onChange: (value: string | undefined) => void }) {
  const { label, value, options, any = 'any', onChange } = props;
  return (
    <NativeSelect
      label={label}
      size="sm"
      value={value ?? ''}
      data={[{ value: '', label: any }, ...options]}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}
