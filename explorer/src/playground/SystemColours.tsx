import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect } from 'react';

const dark = window.matchMedia('(prefers-color-scheme: dark)');

/** Has the editors change with the rest of the page where the system turns dark or light: GraphiQL asks it for their colours only once. */
export function SystemColours() {
  const theme = useGraphiQL((state) => state.theme);
  const { setTheme } = useGraphiQLActions();
  useEffect(() => {
    if (theme) return; // chosen by the reader, in the settings
    const follow = () => setTheme(null);
    dark.addEventListener('change', follow);
    return () => dark.removeEventListener('change', follow);
  }, [theme, setTheme]);
  return null;
}
