// SPDX-License-Identifier: MIT
/*
 * firefox.mjs PROGRAM FOLDER FIREFOX: called by page.sh, where puppeteer-core is installed. Opens pages in Firefox, and
 * does what browsers do in different ways: layout, focus, pointer, addresses, copying.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import puppeteer from 'puppeteer-core';

const [program, folder, executablePath] = process.argv.slice(2);
let checks = 0, failures = 0;
const check = (what, found, expected) => {
    checks++;
    if (JSON.stringify(found) !== JSON.stringify(expected)) {
        failures++;
        console.log(`firefox: FAILED: ${what}\n    found    ${JSON.stringify(found)}\n    expected ${JSON.stringify(expected)}`);
    }
};

// {main} calls f, which calls g; the name of h would be markup.
writeFileSync(`${folder}/firefox`, `version: 1\ncreator: xdebug 3.2.0\ncmd: ./app\nevents: Time_(10ns) Memory_(bytes)

fl=/srv/a.php\nfn=g\n3 20 8\n\nfl=/srv/a.php\nfn=f\n2 30 8\ncfn=g\ncalls=1 0\n2 20 8

fl=/srv/b.php\nfn=</script><img src=x onerror=window.ran=1>\n7 10 0\n
fl=/srv/a.php\nfn={main}\n1 40 8\ncfn=f\ncalls=1 0\n1 50 16\ncfl=/srv/b.php\ncfn=</script><img src=x onerror=window.ran=1>\ncalls=1 0\n1 10 0\n
summary: 100 32\n`);
execFileSync(program, ['-q', '-o', `${folder}/firefox.html`, `${folder}/firefox`]);

const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true });
const page = await browser.newPage();
const messages = [];
page.on('console', (message) => messages.push(message.text()));
page.on('pageerror', (error) => messages.push(error.message));
const go = async (fragment) => {
    await page.goto('about:blank');
    await page.goto(`file://${folder}/firefox.html${fragment}`);
};
const cells = () => page.evaluate(() => [...document.querySelectorAll('#functions tbody tr')].map((row) =>
    [row.querySelector('a').title, ...[...row.cells].slice(1).filter((cell) => cell.checkVisibility()).map((cell) => cell.title || cell.textContent)]));
const focused = () => page.evaluate(() => document.activeElement.ariaLabel?.split(',')[0]);
const until = (script) => page.waitForFunction(script, { timeout: 10000 });

for (const width of [320, 1200]) {
    await page.setViewport({ width, height: 780 });
    for (const fragment of ['', '#by=class', '#beside=Memory_(bytes)', '#f=f', '#s']) {
        await go(fragment);
        check(`${fragment}, ${width} pixels: not wider than the window`,
            await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
    }
}
await go('');
check('the table', (await cells()).map((row) => row.filter((_, c) => [0, 1, 3, 6].includes(c))), [['{main}', '1', '40', '100'],
    ['f', '1', '30', '50'], ['g', '1', '20', '20'], ['</script><img src=x onerror=window.ran=1>', '1', '10', '10']]);
await page.keyboard.press('/');
await page.keyboard.type('name:f');
check('the filter', (await cells()).map(([name]) => name), ['f']);
await page.click('#functions tbody a');
await until('document.activeElement.id === "name"');
check('a function is opened', await page.evaluate(() => document.title), 'f - ./app');
await page.evaluate(() => document.addEventListener('copy', (event) => { window.copied = event.clipboardData; }));
await page.click('#copy button');
check('its name is copied', await page.evaluate(() => window.copied !== undefined), true);
await page.goBack();
await until('!document.getElementById("functions").hidden');
await page.click('#to-stacks');
await until('document.querySelectorAll("#icicle div").length === 5');
const { x, y } = await (await page.$('#icicle [aria-label^="f,"]')).boundingBox();
await page.mouse.click(x + 5, y + 5, { count: 2 });
await until('location.hash.startsWith("#s=f&path=")');
check('a double click zooms', [await focused(), await page.evaluate(() => document.querySelectorAll('#icicle .above').length)], ['f', 2]);
await page.keyboard.press('Escape');
await until('location.hash.startsWith("#s={main}&path=")');
check('Escape stays at the frame', await focused(), 'f');
await page.keyboard.press('ArrowDown');
check('an arrow leads to the next frame', await focused(), 'g');
check('no script of a name ran', await page.evaluate(() => window.ran === undefined), true);
check('the console', messages, []);
console.log(`firefox: ${checks} checks, ${failures} failed`);
await browser.close();
process.exit(failures > 0 ? 1 : 0);
