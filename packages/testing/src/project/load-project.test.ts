import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadProject } from './load-project.ts'
import type { Project } from './project.ts'
import { selectCasesByPaths, selectCasesByText } from './select-cases.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sluice-project-'))
  mkdirSync(join(root, '.git'))
})
afterEach(() => rmSync(root, { recursive: true }))

const identity = 'export const transformEvent = (event) => event\n'
const library = 'export const hide = (text) => text\n'

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
}

const load = async (path = '.'): Promise<Project> => {
  const project = await loadProject(join(root, path))
  if (project === undefined) throw new Error('no project was found')
  return project
}
/** Transformations with the paths of their cases. */
const casesOf = ({ transformations }: Project): unknown =>
  Object.fromEntries(
    transformations.map(({ name, cases }) => [
      name,
      cases.map((each) => [
        each.name,
        ...[each.inputFile, each.outputFile].map((file) => file && relative(root, file)),
      ]),
    ]),
  )

describe('a project in folders', () => {
  beforeEach(() =>
    write({
      'transformations/mask.ts': `import { hide } from 'my-pii'\n${identity}`,
      'transformations/plain.js': identity,
      'transformations/mask.test.ts': 'not code',
      'libraries/my-pii.ts': library,
      'tests/mask/input/order.json': '{}',
      'tests/mask/input/refund.json': '{}',
      'tests/mask/output/order.json': '[]',
    }),
  )

  it('has a transformation per file, with the cases of its name; without any, the sample events', async () => {
    const project = await load()
    expect(casesOf(project)).toEqual({
      mask: [
        ['order', 'tests/mask/input/order.json', 'tests/mask/output/order.json'],
        ['refund', 'tests/mask/input/refund.json', 'tests/mask/output/refund.json'],
      ],
      plain: [['sample events', undefined, undefined]],
    })
    expect(project.transformations.map(({ language }) => language)).toEqual(['typescript', 'javascript'])
    expect(project.libraries).toEqual([expect.objectContaining({ name: 'my-pii', importName: 'myPii' })])
  })

  for (const path of ['transformations/mask.ts', 'tests/mask/input', 'tests/mask/input/order.json', 'libraries'])
    it(`is found upward from ${path}`, async () => expect((await load(path)).root).toBe(root))

  const selections: readonly (readonly [string, readonly string[]])[] = [
    ['.', ['mask / order', 'mask / refund', 'plain / sample events']],
    ['transformations/plain.js', ['plain / sample events']],
    ['tests/mask', ['mask / order', 'mask / refund']],
    ['tests/mask/output/order.json', ['mask / order']],
    ['tests/mask/ga4/refund.json', ['mask / refund']],
    ['tests/mask/conditions/refund.json', ['mask / refund']],
    ['libraries/my-pii.ts', ['mask / order', 'mask / refund']],
    ['tests/other', []],
  ]
  for (const [path, want] of selections)
    it(`is narrowed by ${path} to ${want.join(', ') || 'nothing'}`, async () => {
      const selected = selectCasesByPaths(await load(), [join(root, path)])
      expect(
        selected.transformations.flatMap(({ name, cases }) => cases.map((each) => `${name} / ${each.name}`)),
      ).toEqual(want)
    })

  it('is narrowed by a part of a name, in any case', async () => {
    expect(casesOf(selectCasesByText(await load(), 'MASK / ref'))).toEqual({
      mask: [expect.arrayContaining(['refund'])],
    })
  })
})

describe('a folder with one file of code', () => {
  it('has its cases beside the code', async () => {
    write({ 'mask/mask.js': identity, 'mask/input/order.json': '{}', 'mask/output/order.json': '{}' })
    const want = { mask: [['order', 'mask/input/order.json', 'mask/output/order.json']] }
    expect(casesOf(await load('mask'))).toEqual(want)
    expect(casesOf(await load('mask/input/order.json'))).toEqual(want)
  })
})

const yaml = (spec: string, kind = 'transformation'): string =>
  `version: rudder/v1\nkind: ${kind}\nmetadata:\n  name: x\nspec:\n${spec.replace(/^/gm, '  ')}\n`

describe("a project of RudderStack's CLI", () => {
  it('has code in files or in the YAML, sets of cases, and libraries by their import name', async () => {
    write({
      'transformations/mask.yaml': yaml(`id: mask
name: Mask all
language: javascript
file: javascript/mask.js
tests:
  - name: orders
    input: ./tests/input
  - name: refunds`),
      'transformations/javascript/mask.js': identity,
      'transformations/tests/input/one.json': '{}',
      'transformations/input/two.json': '{}',
      'transformations/output/one.json': '{}',
      'transformations/inline.yml': yaml(`id: inline
name: Inline
language: javascript
code: |
  // first
  export const transformEvent = (event) => event`),
      'libraries/pii.yaml': yaml(
        `id: pii\nname: Personal data\nimport_name: pii\nlanguage: javascript\ncode: |\n  ${library}`,
        'transformation-library',
      ),
      'plans/plan.yaml': yaml('id: x', 'tp'),
      'ci.yaml': 'a: [',
    })
    const project = await load()
    expect(project.layout).toBe('rudder-cli')
    expect(casesOf(project)).toEqual({
      'Mask all': [
        ['orders / one', 'transformations/tests/input/one.json', 'transformations/output/one.json'],
        ['refunds / two', 'transformations/input/two.json', 'transformations/output/two.json'],
      ],
      Inline: [['sample events', undefined, undefined]],
    })
    const inline = project.transformations.find(({ name }) => name === 'Inline')
    expect([inline?.firstLine, inline?.code.split('\n')[0]]).toEqual([10, '// first'])
    expect(project.libraries).toEqual([expect.objectContaining({ importName: 'pii', code: `${library}` })])
  })

  it('may have code and cases beside the YAML', async () => {
    write({ 'a.yaml': yaml('id: a\nname: A b\nlanguage: javascript\nfile: a.js\ntests: [{ name: t }]') })
    write({ 'a.js': identity, 'input/one.json': '{}' })
    expect(casesOf(await load())).toEqual({ 'A b': [['t / one', 'input/one.json', 'output/one.json']] })
  })

  it('reports Python code instead of running it', async () => {
    write({
      'a.yaml': yaml('id: a\nname: A\nlanguage: python\ncode: x'),
      'b.yaml': yaml('id: b\nname: B\nlanguage: javascript\ncode: x'),
    })
    const project = await load()
    expect([project.transformations.length, project.notRunnable]).toEqual([
      1,
      [{ name: 'A', file: join(root, 'a.yaml'), reason: expect.stringContaining('"python"') }],
    ])
  })
})

describe("a list of RudderStack's transformation action", () => {
  it('is read under any name, with paths relative to the repository', async () => {
    write({
      'code/list.json': JSON.stringify({
        transformations: [
          { file: './code/t1.js', name: 'T 1', 'test-input-file': './code/e.json', 'expected-output': 'code/x.json' },
          { file: './code/t1.js', name: 'T 2', language: 'javascript', 'test-input-file': '' },
        ],
        libraries: [{ file: './code/lib.js', name: 'My lib', description: 'd' }],
      }),
      'code/t1.js': identity,
      'code/e.json': '[]',
      'code/x.json': '[]',
      'code/lib.js': library,
    })
    const project = await load('code/list.json')
    expect([project.layout, project.root]).toEqual(['action-meta', root])
    expect(casesOf(project)).toEqual({
      'T 1': [['code/e.json', 'code/e.json', 'code/x.json']],
      'T 2': [['sample events', undefined, undefined]],
    })
    expect(project.libraries[0]).toMatchObject({ name: 'My lib', importName: 'myLib', description: 'd' })
  })
})

describe('a project with a mistake', () => {
  const meta = (entry: object): string => JSON.stringify({ transformations: [{ file: 'a.js', name: 'A', ...entry }] })
  const spec = 'id: a\nname: A\nlanguage: javascript\n'
  const mistakes: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
    [
      'cases of no transformation',
      { 'transformations/mask.js': identity, 'tests/maks/input/a.json': '{}' },
      /^tests\/maks: belongs to no transformation; there are mask$/,
    ],
    [
      'an output without an input',
      { 'transformations/a.js': identity, 'tests/a/input/a.json': '{}', 'tests/a/output/b.json': '{}' },
      /^tests\/a\/output\/b\.json: belongs to no input; expected tests\/a\/input\/b\.json$/,
    ],
    [
      'an empty folder of inputs',
      { 'transformations/a.js': identity, 'tests/a/input/readme.md': '' },
      /^tests\/a\/input: holds no \.json or \.yaml file/,
    ],
    [
      'two inputs of one name',
      { 'transformations/a.js': identity, 'tests/a/input/b.json': '{}', 'tests/a/input/b.yaml': 'type: track' },
      /^tests\/a\/input\/b\.yaml: there is another file b; keep one$/,
    ],
    [
      'recorded responses in YAML',
      { 'transformations/a.js': identity, 'tests/a/input/b.json': '{}', 'tests/a/fetch/b.yml': '[]' },
      /^tests\/a\/fetch\/b\.yml: recorded responses are JSON files$/,
    ],
    [
      'a name twice',
      { 'transformations/a.js': identity, 'transformations/a.ts': identity },
      /^transformations\/a\.ts: the transformation a is there already, in transformations\/a\.js; rename one$/,
    ],
    ['broken YAML', { 'a.yaml': `${yaml(spec)}  code: [` }, /^a\.yaml:\d+:\d+: /],
    ['a spec without code', { 'a.yaml': yaml(spec) }, /^a\.yaml: spec needs either code or file; it has none$/],
    [
      'a spec without a name',
      { 'a.yaml': yaml('id: a\nlanguage: javascript\ncode: x') },
      /^a\.yaml: spec\.name is missing/,
    ],
    [
      'a file that is not there',
      { 'a.yaml': yaml(`${spec}file: b.js`) },
      /^a\.yaml: spec\.file is b\.js; there is no such/,
    ],
    [
      'a file above the YAML',
      { 'a.yaml': yaml(`${spec}file: ../b.js`) },
      /must be relative to the file, without \.\.$/,
    ],
    [
      'an id twice',
      { 'a.yaml': yaml(`${spec}code: x`), 'b.yaml': yaml(`${spec}code: x`) },
      /^b\.yaml: spec\.id of transformation a is taken by a\.yaml/,
    ],
    ['a list that is not JSON', { 'meta.json': '{"transformations": [,' }, /^meta\.json:1:22: not JSON/],
    ['a list of files that are nowhere', { 'meta.json': meta({}) }, /a\.js is found neither beside it nor above/],
    [
      'an input that is not there',
      { 'meta.json': meta({ 'test-input-file': 'e.json' }), 'a.js': identity },
      /^meta\.json: transformations\[0\]\.test-input-file is e\.json; there is no such file/,
    ],
    [
      'a path out of the repository',
      { 'meta.json': meta({ 'expected-output': '../e.json' }), 'a.js': identity },
      /expected-output is \.\.\/e\.json; it must lie in the repository/,
    ],
  ]
  for (const [name, files, message] of mistakes)
    it(`is refused for ${name}`, async () => {
      write(files)
      await expect(load()).rejects.toMatchObject({ name: 'ProjectError', message: expect.stringMatching(message) })
    })

  it('is refused for a link that leads out of it', async () => {
    write({ 'transformations/a.js': identity })
    symlinkSync('/etc/hostname', join(root, 'transformations/b.js'))
    await expect(load()).rejects.toThrow(/transformations\/b\.js: leads out of the project to \/etc\/hostname/)
  })
})

describe('a folder without a project', () => {
  it('results in undefined, and a missing folder is refused', async () => {
    write({ 'src/a.js': identity, 'b/data.json': '[]' })
    expect(await loadProject(root)).toBeUndefined()
    await expect(loadProject(join(root, 'nowhere'))).rejects.toThrow(/nowhere: not there$/)
  })
})
