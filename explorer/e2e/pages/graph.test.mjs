// The graph: expanded by click, with paths, and a link that brings back the same view.
import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { explorer, meetsTheRules } from '../explorer.mjs';

const here = explorer();

const link = (root, more = '') => `/graph?root=${encodeURIComponent(root)}${more}`;

async function laidOut() {
  await here.page.locator('[data-laid-out=true]').waitFor();
  await here.settled();
}

async function open(path) {
  await here.open(path, 'Graph');
  await laidOut();
}

/** How many records and links there are. */
async function size() {
  const text = await here.page.getByText(/^\d+ records, \d+ links$/).innerText();
  return text.match(/\d+/g).map(Number);
}

const records = () => here.page.getByRole('list', { name: 'Records of the graph' });
const legend = () => here.page.getByRole('region', { name: 'What is shown' });
const chosen = () => here.page.getByRole('region', { name: 'Chosen record' });

async function choose(words) {
  await here.page.getByLabel('Find in this graph').fill(words);
  await records().getByRole('button').first().click();
  await chosen().waitFor();
}

/** Where in the window the record stands that is chosen: in the middle of its ring. */
async function placeOfChosen() {
  const box = await here.page.locator('[data-laid-out]').boundingBox();
  const ring = [...(await coloured(await drawn(), 'd9480f', []))].map((pixel) => pixel.split(',').map(Number));
  assert.ok(ring.length > 20, 'there is no ring');
  const middle = (axis) => (Math.min(...ring.map((pixel) => pixel[axis])) + Math.max(...ring.map((pixel) => pixel[axis]))) / 2;
  return [box.x + middle(0), box.y + middle(1)];
}

/** The picture as it is, to compare with another. */
async function drawn() {
  await here.page.waitForTimeout(300); // the renderer draws once more after the last change
  return here.page.locator('[data-laid-out]').screenshot();
}

test('the graph begins with the newest episodes, their agents and concepts, in communities @neo4j', async () => {
  await open('/graph');
  const { episodes, memoirs } = await here.ask('{ episodes(first: 100) { totalCount nodes { agent { name } } } memoirs { nodes { concepts(first: 0) { totalCount } } } }');
  const [records, links] = await size();
  const [ofEpisodes, ofConcepts] = [Math.min(200, episodes.totalCount), memoirs.nodes[0].concepts.totalCount];
  assert.ok(records <= 300 && records > ofEpisodes && links > ofEpisodes, `${records} records, ${links} links`);
  await here.page.getByRole('checkbox', { name: `Concept (${ofConcepts})` }).waitFor();
  await here.page.getByRole('checkbox', { name: `Episode (${ofEpisodes})` }).waitFor();
  await legend().getByText(new RegExp(`^${episodes.nodes[0].agent.name} \\(\\d+\\)$`)).waitFor();
  await legend().getByText('Kinds', { exact: true }).first().click();
  await here.page.waitForURL(/by=kind/);
});

test('episodes are told apart by outcome and by when they began, and only what is seen is counted', async () => {
  await open('/graph');
  const [before] = await size();
  const failures = here.page.getByRole('checkbox', { name: /^failure \(/ });
  const failed = Number((await here.page.getByText(/^failure \(\d+\)$/).innerText()).match(/\d+/)[0]);
  await failures.uncheck();
  await here.page.waitForURL(/hide=/);
  assert.equal((await size())[0], before - failed);
  await here.page.getByText(`failure (0 of ${failed})`).waitFor();
  await here.page.getByRole('slider', { name: 'Episodes from' }).focus();
  for (let step = 0; step < 30; step++) await here.page.keyboard.press('ArrowRight');
  await here.page.waitForURL(/early=/);
  const early = new URLSearchParams(new URL(here.page.url()).hash.split('?')[1]).get('early').replaceAll('"', '');
  const [after] = await size();
  assert.ok(after < before - failed, `${after} of ${before}`);
  await here.page.reload();
  await laidOut();
  assert.equal((await size())[0], after);
  const { episodes } = await here.ask('query ($since: DateTime) { episodes(filter: { since: $since, outcome: SUCCESS }) { totalCount } }', { since: early });
  await here.page.getByText(new RegExp(`^success \\(${episodes.totalCount}( of \\d+)?\\)$`)).waitFor();
});

test('the time range of all pages holds in the graph', async () => {
  await open('/graph?range=LAST_7D');
  const { episodes } = await here.ask('{ episodes(filter: { timeRange: LAST_7D }) { totalCount } }');
  await here.page.getByRole('checkbox', { name: new RegExp(`^Episode \\(${episodes.totalCount}\\)$`) }).waitFor();
});

test('an episode that is chosen opens beside the picture, and the rest stays where it is', async () => {
  await open('/graph');
  const before = await drawn();
  await choose('(failure)');
  await chosen().getByText(/^Situation: /).waitFor();
  await chosen().getByRole('link', { name: 'Compare with another' }).waitFor();
  const [was, is] = [await coloured(before, '212529', []), await coloured(await drawn(), '212529', [])];
  const both = [...was].filter((pixel) => is.has(pixel)).length;
  assert.ok(both > 0.8 * was.size, `of ${was.size} pixels ${both} are where they were`);
});

test('the links of what is chosen are named beside it', async () => {
  await here.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await open(link('memoir:demo-handbook'));
  const named = async () => (await coloured(await drawn(), 'a33b05', [])).size;
  assert.equal(await named(), 0);
  await choose('Refund policy');
  assert.ok((await named()) > 50);
});

test('names in the picture do not cover one another', async () => {
  await here.page.addInitScript(() => {
    window.names_ = [];
    const [write, clear] = [CanvasRenderingContext2D.prototype.fillText, CanvasRenderingContext2D.prototype.clearRect];
    CanvasRenderingContext2D.prototype.clearRect = function (...box) {
      if (this.canvas.className.includes('labels')) window.names_ = [];
      clear.apply(this, box);
    };
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
      window.names_.push({ text, left: x, right: x + this.measureText(text).width, y });
      write.call(this, text, x, y);
    };
  });
  await open('/graph?selected=concept%3Ademo-refund-policy');
  await drawn();
  const names = await here.page.evaluate(() => window.names_);
  assert.ok(names.length > 10, `${names.length} names`);
  const covering = names.flatMap((one, place) => names.slice(place + 1).filter((other) => one.left < other.right && other.left < one.right && Math.abs(one.y - other.y) < 10).map((other) => [one.text, other.text]));
  assert.deepEqual(covering, []);
});

test('a record is expanded by a double click on it, and undo takes that back', async () => {
  await here.page.emulateMedia({ reducedMotion: 'reduce' }); // so that the camera is at once at what is chosen
  await open(link('memoir:demo-handbook'));
  const [before] = await size();
  await choose('Canary');
  await here.page.mouse.dblclick(...(await placeOfChosen()));
  await here.page.waitForURL(/open=/);
  await laidOut();
  const [after] = await size();
  assert.ok(after > before, `${before} records, then ${after}`);
  await here.page.getByRole('button', { name: 'Undo' }).click();
  await here.page.waitForURL((url) => !url.hash.includes('open='));
  await laidOut();
  assert.equal((await size())[0], before);
});

test('a link brings back the same view', async () => {
  await open(link('memoir:demo-handbook'));
  await choose('Canary');
  await chosen().getByRole('button', { name: 'Expand' }).click();
  await here.page.waitForURL(/open=/);
  await laidOut();
  await here.page.getByRole('checkbox', { name: /^Observation/ }).uncheck();
  await here.page.waitForURL(/hide=/);
  await here.page.reload();
  await laidOut();
  const [address, counts, first] = [here.page.url(), await size(), await drawn()];
  const other = await here.page.context().newPage();
  await other.goto(address);
  const before = here.page;
  here.page = other;
  await laidOut();
  assert.deepEqual(await size(), counts);
  assert.ok(first.equals(await drawn()), 'the picture is another');
  assert.equal(await other.getByRole('checkbox', { name: /^Observation/ }).isChecked(), false);
  here.page = before;
});

const undo = () => here.page.getByRole('button', { name: 'Undo' });

test('undo has the steps of this view, and no others', async () => {
  await here.open('/episodes', 'Episodes');
  await here.page.evaluate((hash) => (location.hash = hash), `#${link('memoir:demo-handbook')}`);
  await laidOut();
  assert.equal(await undo().isDisabled(), true, 'the list of episodes is no step of the graph');
  await here.page.getByRole('checkbox', { name: /^Concept/ }).uncheck();
  await here.page.waitForURL(/hide=/);
  await undo().click();
  await here.page.waitForURL((url) => !url.hash.includes('hide='));
  assert.equal(await undo().isDisabled(), true);
});

test('a path leads to a record that is not there yet, by the search @neo4j', async () => {
  await open(link('agent:support'));
  await here.page.getByLabel('Find in this graph').fill('concept:demo-canary');
  await here.page.getByText('0 found').waitFor();
  await choose('agent:support');
  await chosen().getByRole('button', { name: 'Path from here' }).click();
  await here.page.getByRole('button', { name: 'Path to…' }).click();
  await here.page.getByLabel('Search for').fill('baseline for ten minutes, never on a Friday');
  await here.page.locator('[data-action]').filter({ hasText: 'Concept' }).first().click();
  await here.page.waitForURL(/pathTo=concept/);
  await laidOut();
  const { path } = await here.ask('{ path(from: "agent:support", to: "concept:demo-canary") { nodes { node { id } } } }');
  for (const { node } of path.nodes) {
    await here.page.getByLabel('Find in this graph').fill(node.id);
    await here.page.getByText('1 found').waitFor();
  }
  await undo().click();
  await here.page.getByText(/^A path from/).waitFor();
});

test('a record that is dragged stays there, also when the page is loaded again; one that is clicked with a trembling hand does not move', async () => {
  await here.page.emulateMedia({ reducedMotion: 'reduce' });
  await open(link('memoir:demo-handbook'));
  await choose('Canary');
  const drag = async (across, down) => {
    const [x, y] = await placeOfChosen();
    await here.page.mouse.move(x, y);
    await here.page.mouse.down();
    await here.page.mouse.move(x + across, y + down, { steps: across > 10 ? 8 : 2 });
    await here.page.mouse.up();
  };
  await drag(120, 90);
  await here.page.waitForURL(/pins=/);
  await here.page.reload();
  await laidOut();
  await choose('Canary');
  await chosen().getByRole('button', { name: 'Unpin' }).waitFor();
  const first = await drawn();
  await here.page.reload();
  await laidOut();
  await choose('Canary');
  assert.ok(first.equals(await drawn()), 'the picture is another');
  const pinned = here.page.url();
  await drag(2, 1);
  await drawn();
  assert.equal(here.page.url(), pinned);
  await chosen().getByRole('button', { name: 'Unpin' }).click();
  await here.page.waitForURL((url) => !url.hash.includes('pins='));
});

/** Where the picture has a colour, as `x,y`, but for what is near some places. */
async function coloured(picture, colour, places) {
  const found = await here.page.evaluate(
    async ([bytes, wanted]) => {
      const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      const near = (at) => wanted.every((channel, place) => Math.abs(data[at + place] - channel) < 8);
      return [...Array(image.width * image.height).keys()].filter((pixel) => near(4 * pixel)).map((pixel) => [pixel % image.width, Math.floor(pixel / image.width)]);
    },
    [[...picture], colour.match(/[\da-f]{2}/g).map((channel) => parseInt(channel, 16))],
  );
  return new Set(found.filter(([x, y]) => places.every((place) => Math.hypot(x - place[0], y - place[1]) > 40)).map(String));
}

test('all other records stay where they are when one is dragged', async () => {
  await here.page.emulateMedia({ reducedMotion: 'reduce' });
  await open(link('memoir:demo-handbook'));
  await choose('Canary');
  const box = await here.page.locator('[data-laid-out]').boundingBox();
  const [left, top] = await placeOfChosen();
  const [x, y] = [left - box.x, top - box.y];
  const to = [x + 120, y + 90];
  const before = await drawn();
  await here.page.mouse.move(box.x + x, box.y + y);
  await here.page.mouse.down();
  await here.page.mouse.move(box.x + to[0], box.y + to[1], { steps: 8 });
  await here.page.mouse.up();
  await here.page.waitForURL(/pins=/);
  await laidOut();
  const after = await drawn();
  assert.ok(!before.equals(after), 'nothing was moved');
  for (const colour of ['1c7ed6', '1864ab']) {
    const [was, is] = [await coloured(before, colour, [[x, y], to]), await coloured(after, colour, [[x, y], to])];
    // A link or a name may come to lie over a few of them.
    const both = [...was].filter((pixel) => is.has(pixel)).length;
    assert.ok(was.size > 50 && both > 0.9 * Math.max(was.size, is.size), `of ${was.size} pixels of ${colour} ${both} are where they were, of ${is.size}`);
  }
});

test('other colours show the same place', async () => {
  await here.page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
  await open(link('memoir:demo-handbook'));
  await choose('Canary');
  await here.page.getByRole('button', { name: 'Nearer' }).click();
  const before = await drawn();
  await here.page.getByRole('button', { name: 'Dark colours' }).click();
  await here.page.getByRole('button', { name: 'Light colours' }).click();
  await here.page.mouse.move(0, 0);
  const [was, is] = [await coloured(before, '1c7ed6', []), await coloured(await drawn(), '1c7ed6', [])];
  const both = [...was].filter((pixel) => is.has(pixel)).length;
  assert.ok(was.size > 50 && both > 0.9 * Math.max(was.size, is.size), `of ${was.size} pixels ${both} are where they were, of ${is.size}`);
});

test('a record is moved by the keyboard alone', async () => {
  await open(link('memoir:demo-handbook'));
  await choose('Canary');
  await chosen().getByRole('button', { name: 'Move by arrow keys' }).press('ArrowRight');
  await here.page.waitForURL(/pins=/);
  await chosen().getByRole('button', { name: 'Unpin' }).waitFor();
});

test('relations are hidden by a filter, and what is contradicted is said', async () => {
  await open(link('memoir:demo-handbook', '&depth=2'));
  const box = here.page.getByRole('checkbox', { name: /^CONTRADICTS/ });
  await box.uncheck();
  await here.page.waitForURL(/without=/);
  await here.page.reload();
  await laidOut();
  assert.equal(await box.isChecked(), false);
  const { concept } = await here.ask('{ concept(id: "demo-refund-policy") { name contradictedBy { id } } }');
  assert.ok(concept.contradictedBy.length > 0);
  await here.page.getByLabel('Find in this graph').fill('concept:demo-refund-policy');
  await records().getByRole('button', { name: concept.name, exact: false }).first().click();
  await chosen().getByText('This concept is contradicted.').waitFor();
  await here.page.getByText(/^Concept, contradicted \(\d+\)$/).waitFor();
  await here.page.getByText(/^Concept, superseded \(\d+\)$/).waitFor();
});

test('at most 300 records are there at first, and more by a button', async () => {
  const episodes = Array.from({ length: 320 }, (_, n) => ({ id: `many-${n}`, agentId: 'many', observation: `Work number ${n}`, outcome: 'SUCCESS' }));
  await here.ask('mutation ($input: RecordEpisodesInput!) { recordEpisodes(input: $input) { result { failed } } }', { input: { episodes } });
  await open(link('agent:many'));
  assert.equal((await size())[0], 300);
  await here.page.getByRole('button', { name: 'More records' }).click();
  await here.page.waitForURL(/most=600/);
  await here.page.getByText(/^321 records,/).waitFor();
});

test('a superseded concept is seen as such', async () => {
  await open(link('memoir:demo-handbook'));
  await choose('Refund policy of 2023');
  await chosen().getByText('This concept is superseded.').waitFor();
});

/** What was saved; a browser that is shared has the file elsewhere. */
const contentOf = async (download) => buffer(await download.createReadStream());

test('the links are saved as CSV', async () => {
  await open(link('memoir:demo-handbook'));
  const download = here.page.waitForEvent('download');
  await here.page.getByRole('button', { name: 'Save as CSV' }).click();
  const lines = String(await contentOf(await download)).trim().split('\r\n');
  assert.equal(lines.length, 1 + (await size())[1]);
  assert.match(lines[1], /^"[^"]+","[^"]+","[A-Z_]+",/);
});

test('the picture is saved as PNG', async () => {
  await open(link('memoir:demo-handbook'));
  const download = here.page.waitForEvent('download');
  await here.page.getByRole('button', { name: 'Save as PNG' }).click();
  const picture = await contentOf(await download);
  assert.equal(picture.subarray(1, 4).toString(), 'PNG');
});

meetsTheRules(here, 'graph', async () => {
  await open(link('memoir:demo-handbook', '&depth=2&selected=concept%3Ademo-refund-policy'));
  await here.page.waitForTimeout(400);
});
