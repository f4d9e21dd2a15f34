import { dirname, join } from 'node:path'
import { isJsonObject, type JsonObject } from '@sluice/core'
import { languageOf } from './folder-layout.ts'
import {
  type Project,
  type ProjectCase,
  type ProjectCode,
  ProjectError,
  type ProjectLibrary,
  type ProjectTransformation,
} from './project.ts'
import { isFolder, readProjectFile, shownPath } from './project-files.ts'
import { readCases, sampleCase } from './read-cases.ts'

/** A YAML file that describes a transformation or library. */
interface RudderSpec {
  readonly file: string
  readonly kind: 'transformation' | 'transformation-library'
  readonly spec: JsonObject
  /** Line on which `spec.code` begins, if it is in the file. */
  readonly codeLine?: number
}

const kinds = ['transformation', 'transformation-library'] as const

/**
 * Finds the YAML files of RudderStack's CLI that describe transformations and libraries, and ignores other kinds.
 * @param files all files of the project.
 * @throws ProjectError with line and column when such a file is invalid.
 */
export async function findRudderSpecs(root: string, files: readonly string[]): Promise<readonly RudderSpec[]> {
  const specs: RudderSpec[] = []
  for (const file of files) {
    if (!/\.ya?ml$/.test(file)) continue
    const text = await readProjectFile(root, file)
    // A quick check that ignores YAML files of other tools, valid or not.
    if (text === undefined || !/^kind:\s*["']?transformation\b/m.test(text) || !/^version:\s*["']?rudder\//m.test(text))
      continue
    const spec = await parseSpec(root, file, text)
    if (spec) specs.push(spec)
  }
  return specs
}

async function parseSpec(root: string, file: string, text: string): Promise<RudderSpec | undefined> {
  // Loaded when needed: most projects have no such file.
  const { isScalar, LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [error] = document.errors
  if (error) {
    const { line, col } = lines.linePos(error.pos[0])
    throw new ProjectError(`${shownPath(root, file)}:${line}:${col}: ${error.message}`)
  }
  const value: unknown = document.toJS({ maxAliasCount: 100 })
  const kind = isJsonObject(value) ? kinds.find((each) => each === value['kind']) : undefined
  if (!isJsonObject(value) || kind === undefined) return undefined
  const { spec } = value
  if (!isJsonObject(spec)) throw new ProjectError(`${shownPath(root, file)}: spec is missing`)
  const node = document.getIn(['spec', 'code'], true)
  const isBlock = isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED')
  const at = isBlock ? node.range?.[0] : undefined
  return { file, kind, spec, codeLine: at !== undefined ? lines.linePos(at).line + 1 : undefined }
}

/**
 * Reads the layout of RudderStack's CLI: one YAML file per transformation or library with `spec.id`, `name`, `language`
 * and `code` or `file`. `spec.tests` lists sets of cases by `name`, with folders `input` and `output` (default
 * `./input` and `./output`), all relative to the YAML file. Source: rudder-iac, transformations provider (specs, test
 * orchestrator).
 */
export async function readRudderCliLayout(root: string, specs: readonly RudderSpec[]): Promise<Project> {
  const transformations: ProjectTransformation[] = []
  const libraries: ProjectLibrary[] = []
  const notRunnable: Project['notRunnable'][number][] = []
  const ids = new Map<string, string>()
  for (const described of specs) {
    const { file, kind, spec } = described
    const at = shownPath(root, file)
    const id = `${kind} ${textOf(at, spec, 'id')}`
    const other = ids.get(id)
    if (other !== undefined) throw new ProjectError(`${at}: spec.id of ${id} is taken by ${other}; rename one`)
    ids.set(id, at)
    if (spec['language'] !== 'javascript') {
      const language = JSON.stringify(spec['language']) ?? 'nothing'
      const reason = `spec.language is ${language}; Sluice runs javascript (and TypeScript in .ts files) only`
      notRunnable.push({ name: textOf(at, spec, 'name'), file, reason })
      continue
    }
    const code = await readSpecCode(root, described, at)
    if (kind === 'transformation') transformations.push({ ...code, cases: await readSuites(root, described, at) })
    else libraries.push({ ...code, importName: textOf(at, spec, 'import_name') })
  }
  return { root, layout: 'rudder-cli', transformations, libraries, notRunnable }
}

async function readSpecCode(root: string, { file, spec, codeLine }: RudderSpec, at: string): Promise<ProjectCode> {
  const about = {
    name: textOf(at, spec, 'name'),
    description: typeof spec['description'] === 'string' ? spec['description'] : '',
  }
  const { code, file: codePath } = spec
  if ((typeof code === 'string') === (typeof codePath === 'string'))
    throw new ProjectError(`${at}: spec needs either code or file; it has ${code === undefined ? 'none' : 'both'}`)
  if (typeof codePath !== 'string')
    return {
      ...about,
      file,
      code: String(code),
      language: 'javascript',
      firstLine: codeLine,
    }
  const codeFile = below(at, file, 'file', codePath)
  const text = await readProjectFile(root, codeFile)
  if (text === undefined) throw new ProjectError(`${at}: spec.file is ${codePath}; there is no such file`)
  return { ...about, file: codeFile, specFile: file, code: text, language: languageOf(codeFile) }
}

async function readSuites(root: string, { file, spec }: RudderSpec, at: string): Promise<readonly ProjectCase[]> {
  const tests = spec['tests'] ?? []
  if (!Array.isArray(tests)) throw new ProjectError(`${at}: spec.tests must be a list of {name, input, output}`)
  const suites: { readonly input: string; readonly output: string; readonly prefix: string }[] = []
  for (const [index, test] of tests.entries()) {
    if (!isJsonObject(test)) throw new ProjectError(`${at}: spec.tests[${index}] must be {name, input, output}`)
    const { input = './input', output = './output' } = test
    if (typeof input !== 'string' || typeof output !== 'string')
      throw new ProjectError(`${at}: spec.tests[${index}]: input and output are folders, as text`)
    const suite = {
      input: below(at, file, `tests[${index}].input`, input),
      output: below(at, file, `tests[${index}].output`, output),
      prefix: `${textOf(at, test, 'name', `tests[${index}].`)} / `,
    }
    if (test['input'] !== undefined && !(await isFolder(suite.input)))
      throw new ProjectError(`${at}: spec.tests[${index}].input is ${input}; there is no such folder`)
    suites.push(suite)
  }
  const others = suites.map(({ input }) => input)
  const cases: ProjectCase[] = []
  for (const { prefix, ...folders } of suites) cases.push(...(await readCases(root, { ...folders, others }, prefix)))
  return cases.length === 0 ? [sampleCase] : cases
}

/** Resolves a path of a spec below its folder; RudderStack refuses other paths too. */
function below(at: string, file: string, place: string, path: string): string {
  if (/^(?:[/\\]|[a-zA-Z]:)/.test(path) || path.split(/[/\\]/).includes('..'))
    throw new ProjectError(`${at}: spec.${place} is ${path}; it must be relative to the file, without ..`)
  return join(dirname(file), path)
}

function textOf(at: string, spec: JsonObject, key: string, place = ''): string {
  const value = spec[key]
  if (typeof value === 'string' && value.trim() !== '') return value
  throw new ProjectError(`${at}: spec.${place}${key} is missing; it must be a text`)
}
