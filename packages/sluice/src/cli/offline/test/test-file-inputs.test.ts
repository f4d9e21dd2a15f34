import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { testFileInputs } from './test-file-inputs.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sluice-inputs-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
}

it('a test file depends on itself, its modules, the files and transformations it names, and their libraries', async () => {
  write({
    'package.json': '{}',
    'transformations/a.js': "import { x } from 'used'\nexport const transformEvent = (event) => x(event)\n",
    'transformations/b.js': 'export const transformEvent = (event) => event\n',
    'libraries/used.js': 'export const x = (event) => event\n',
    'libraries/unused.js': 'export const y = 1\n',
    'tests/help.ts': "export { more } from './more.js'\n",
    'tests/more.ts': 'export const more = 1\n',
    'tests/a.fetch.json': '[]',
    'tests/a.test.ts': `import { more } from './help'\nconst t = testTransformation('a.js').withFetch('tests/a.fetch.json')\n`,
    'tests/all.test.ts': 'for (const file of files) testTransformation(file)\n',
  })
  const prints = async () => {
    const [own, all] = await Promise.all(
      ['a', 'all'].map((name) => testFileInputs(join(root, `tests/${name}.test.ts`), root)),
    )
    return [own?.print, all?.print]
  }
  const expected: readonly (readonly [string, readonly [own: boolean, all: boolean]])[] = [
    ['transformations/a.js', [true, true]],
    ['libraries/used.js', [true, true]],
    ['transformations/b.js', [false, true]],
    ['libraries/unused.js', [false, true]],
    ['tests/more.ts', [true, false]],
    ['tests/a.fetch.json', [true, false]],
    ['tests/a.test.ts', [true, false]],
    ['events/other.ndjson', [false, false]],
  ]
  for (const [file, changes] of expected) {
    const before = await prints()
    write({
      [file]: `export const transformEvent = () => null // ${file}\nimport './help'; 'a.js'; 'tests/a.fetch.json'\n`,
    })
    const after = await prints()
    expect([file, ...after.map((print, index) => print !== before[index])]).toEqual([file, ...changes])
    if (file === 'transformations/a.js')
      write({ [file]: "import { x } from 'used'\nexport const transformEvent = (event) => x(event)\n" })
  }
})
