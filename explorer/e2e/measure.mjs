// Measures the graph with 2,000 records and 10,000 links, prints what it found, and fails where that is beyond the limits, which
// are those of a machine that does nothing else: LIMITS=no only prints.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { launchComposited } from './browser.mjs';
import { startServer } from './server.mjs';

const episodes = 100;
const observations = 1899;
const links = 10_000;
const pans = 60;
const limits = { firstFrame: 2000, script: 30, memory: 400 };

const server = await startServer();
const browser = await launchComposited();
try {
  await fill();
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const cdp = await page.context().newCDPSession(page);
  const address = `${server.url}/#/graph?root=${encodeURIComponent('agent:bulk')}&depth=2&most=2000`;
  const began = Date.now();
  await page.goto(address);
  await page.getByText(`2000 records, ${links} links`, { exact: true }).waitFor({ timeout: 120_000 });
  const read = Date.now();
  const first = await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => setTimeout(() => seen(Date.now())))));
  await page.locator('[data-laid-out=true]').waitFor({ timeout: 120_000 });
  const laidOut = Date.now();
  const frames = await pan(page, cdp);
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  const memory = await tabMemory();
  console.log(`2000 records, ${links} links
the page is opened and all is read after ${read - began} ms, the first frame is there after ${first - began} ms, laid out after ${laidOut - began} ms
panning: ${frames.script.toFixed(1)} ms of script for each frame, ${frames.perSecond.toFixed(0)} frames a second (rendered in software)
${memory.toFixed(0)} MiB of memory of the tab's process, ${(usedSize / 2 ** 20).toFixed(0)} MiB of it of scripts`);
  if (process.env.LIMITS !== 'no') {
    assert.ok(first - began < limits.firstFrame, `the first frame came after ${first - began} ms`);
    assert.ok(frames.script <= limits.script, `${frames.script} ms of script for each frame`);
    assert.ok(memory < limits.memory, `${memory} MiB`);
  }
} finally {
  await browser.close();
  await server.stop();
}

/** What the process that renders the tab holds for itself, in MiB; the largest of the browser's renderers. */
async function tabMemory() {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const sizes = await Promise.all(
    processInfo
      .filter(({ type }) => type === 'renderer')
      .map(async ({ id }) => {
        const rollup = await readFile(`/proc/${id}/smaps_rollup`, 'utf8');
        const kilobytes = ['Private_Clean', 'Private_Dirty'].map((name) => Number(rollup.match(new RegExp(`${name}:\\s+(\\d+)`))[1]));
        return (kilobytes[0] + kilobytes[1]) / 1024;
      }),
  );
  return Math.max(...sizes);
}

/** An agent with episodes and observations about several of them each: so many links in all. */
async function fill() {
  const record = (name, input) => ask(`mutation ($input: ${name[0].toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { result { failed } } }`, input);
  const ofEach = Math.floor((links - episodes) / observations);
  const over = links - episodes - ofEach * observations; // observations that are about one more
  await record('recordEpisodes', {
    episodes: Array.from({ length: episodes }, (_, n) => ({ id: `bulk-${n}`, agentId: 'bulk', observation: `Work number ${n}`, outcome: 'SUCCESS' })),
  });
  const all = Array.from({ length: observations }, (_, n) => ({
    id: `bulk-${n}`,
    content: `Noticed number ${n}`,
    aboutIds: Array.from({ length: ofEach + (n < over ? 1 : 0) }, (_, link) => `episode:bulk-${(n * 7 + link * 13) % episodes}`),
  }));
  for (let from = 0; from < all.length; from += 1000) await record('recordObservations', { observations: all.slice(from, from + 1000) });
}

async function ask(query, input) {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables: { input } }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

/** Drags the picture about, and counts the frames and the time that scripts take. */
async function pan(page, cdp) {
  const box = await page.locator('[data-laid-out]').boundingBox();
  const scripts = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ScriptDuration').value;
  };
  await cdp.send('Performance.enable');
  await page.evaluate(() => {
    window.frames_ = 0;
    const count = () => {
      window.frames_++;
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
  const [before, began] = [await scripts(), Date.now()];
  const start = await page.evaluate(() => window.frames_);
  await page.mouse.move(box.x + 20, box.y + box.height - 20);
  await page.mouse.down();
  for (let step = 1; step <= pans; step++) {
    await page.mouse.move(box.x + 20 + 4 * step, box.y + box.height - 20 - 2 * step);
    await page.waitForTimeout(16);
  }
  await page.mouse.up();
  const frames = (await page.evaluate(() => window.frames_)) - start;
  return { script: (1000 * ((await scripts()) - before)) / frames, perSecond: (1000 * frames) / (Date.now() - began) };
}
