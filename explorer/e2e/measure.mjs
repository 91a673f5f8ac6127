// Measures the graph with 2,000 records and some 10,000 links, and prints what it found. Nothing fails by it: machines differ.
import { launch } from './browser.mjs';
import { startServer } from './server.mjs';

const [episodes, observations, linksOfEach] = [100, 1899, 5];
const pans = 60;

const server = await startServer();
const browser = await launch();
try {
  await fill();
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const cdp = await page.context().newCDPSession(page);
  await page.goto(`${server.url}/#/graph?root=${encodeURIComponent('agent:bulk')}&depth=2&most=2000`);
  const began = Date.now();
  await page.getByText(/^2000 records, \d+ links$/).waitFor({ timeout: 120_000 });
  const read = Date.now();
  const first = await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => setTimeout(() => seen(Date.now())))));
  const counts = await page.getByText(/^2000 records/).innerText();
  await page.locator('[data-laid-out=true]').waitFor({ timeout: 120_000 });
  const laidOut = Date.now();
  const frames = await pan(page, cdp);
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  console.log(`${counts}
read from the server in ${read - began} ms, the first frame ${first - read} ms after, laid out ${laidOut - read} ms after
panning: ${frames.script.toFixed(1)} ms of script for each frame, ${frames.perSecond.toFixed(0)} frames a second (rendered in software)
${(usedSize / 2 ** 20).toFixed(0)} MiB of script memory`);
} finally {
  await browser.close();
  await server.stop();
}

/** An agent with episodes, and observations about several of them each. */
async function fill() {
  const record = (name, input) => ask(`mutation ($input: ${name[0].toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { result { failed } } }`, input);
  await record('recordEpisodes', {
    episodes: Array.from({ length: episodes }, (_, n) => ({ id: `bulk-${n}`, agentId: 'bulk', observation: `Work number ${n}`, outcome: 'SUCCESS' })),
  });
  const all = Array.from({ length: observations }, (_, n) => ({
    id: `bulk-${n}`,
    content: `Noticed number ${n}`,
    aboutIds: Array.from({ length: linksOfEach }, (_, link) => `episode:bulk-${(n * 7 + link * 13) % episodes}`),
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
