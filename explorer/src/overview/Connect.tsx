import { Code, Group, Loader, Stack, Tabs, Text } from '@mantine/core';
import { apiKey } from '../api/key';
import { Copy } from '../shared/Copy';
import { OfferSample } from '../shared/Empty';
import { Section } from '../shared/Section';

/** How to connect an agent, with this server's address; `waiting` for the first record. */
export function Connect({ waiting }: { waiting: boolean }) {
  const server = new URL('.', document.baseURI).href.replace(/\/$/, '');
  const keyed = Boolean(apiKey());
  const ways = [
    { name: 'MCP', about: 'Claude Code or Codex, on the machine of the agent. Any other client of MCP takes the address.', text: `mneme connect claude-code --server ${server}\nmneme connect codex --server ${server}\n\n# any other client, streamable HTTP:\n${server}/mcp` },
    {
      name: 'Python',
      about: 'The package mneme-client, in clients/python.',
      text: `from mneme_client import Memory

memory = Memory("${server}"${keyed ? ', key="…"' : ''})
with memory.episode("A customer wants a refund for a kettle", agent="support") as e:
    print(e.lessons)
    e.step("read_policy", result={"days": 30})
    e.succeeded("Refunded in full")`,
    },
    {
      name: 'TypeScript',
      about: 'The package mneme-client, in clients/typescript.',
      text: `import { Memory } from "mneme-client";

const memory = new Memory("${server}"${keyed ? ', { key: "…" }' : ''});
await memory.episode("A customer wants a refund", { agent: "support" }, async (e) => {
  console.log(e.lessons);
  e.step("read_policy", { result: { days: 30 } });
  e.succeeded("Refunded in full");
});`,
    },
    {
      name: 'OTLP',
      about: 'Any agent that is instrumented with OpenTelemetry needs no code for mneme.',
      text: `export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${server}/v1/traces
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_SERVICE_NAME=support${keyed ? '\nexport OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20KEY"' : ''}`,
    },
  ];
  return (
    <Stack>
      <Section title="Connect an agent" about={keyed ? 'The server wants a key: make one for the agent, of the role writer.' : undefined}>
        <Tabs defaultValue="MCP" keepMounted={false}>
          <Tabs.List mb="sm">
            {ways.map(({ name }) => (
              <Tabs.Tab key={name} value={name}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {ways.map(({ name, about, text }) => (
            <Tabs.Panel key={name} value={name}>
              <Stack gap="xs">
                <Text size="sm">{about}</Text>
                <Code block className="written" tabIndex={0}>
                  {text}
                </Code>
                <Group>
                  <Copy text={text} label={`Copy for ${name}`} />
                </Group>
              </Stack>
            </Tabs.Panel>
          ))}
        </Tabs>
        {waiting && (
          <Group gap="xs" role="status">
            <Loader size="xs" aria-hidden />
            <Text size="sm">Waiting for the first record: it is shown here as soon as it comes.</Text>
          </Group>
        )}
      </Section>
      {waiting && <OfferSample what="episodes" />}
    </Stack>
  );
}
