import ts from 'typescript'
import type { TypeCompletion, TypedCode, TypeHover, TypeProblem } from './types-question.ts'

/** Types of the language and of what user code finds in the sandbox. */
const libs: Readonly<Record<string, string>> = import.meta.glob(
  [
    '../../../node_modules/typescript/lib/lib.{es5,decorators,decorators.legacy}.d.ts',
    '../../../node_modules/typescript/lib/lib.es20{15,16,17,18,19,20,21,22,23}*.d.ts',
    '!**/*.full.d.ts',
  ],
  { query: '?raw', import: 'default', eager: true },
)
const ours: Readonly<Record<string, string>> = import.meta.glob('../../../../sandbox/types/*.d.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
})

const codePath = '/transformation.ts'
const typesPath = '/sluice/transformation.d.ts'
const completionsMax = 500
const problemsMax = 100

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts'],
  types: [],
  strict: true,
  // Events have any shape, and most code is JavaScript.
  noImplicitAny: false,
  noEmit: true,
  allowImportingTsExtensions: true,
}

/** Answers questions about code, which stays in one file that changes. */
export class TypeService {
  readonly #files = new Map<string, { readonly text: string; readonly version: number }>()
  readonly #service: ts.LanguageService

  constructor() {
    for (const [path, text] of Object.entries(libs)) this.#write(`/lib/${nameOf(path)}`, text)
    for (const [path, text] of Object.entries(ours)) this.#write(`/sluice/${nameOf(path)}`, text)
    this.#service = ts.createLanguageService({
      getCompilationSettings: () => options,
      getScriptFileNames: () => [typesPath, codePath],
      getScriptVersion: (path) => String(this.#files.get(path)?.version ?? 0),
      getScriptSnapshot: (path) => {
        const file = this.#files.get(path)
        return file && ts.ScriptSnapshot.fromString(file.text)
      },
      getCurrentDirectory: () => '/',
      getDefaultLibFileName: () => '/lib/lib.es2023.d.ts',
      fileExists: (path) => this.#files.has(path),
      readFile: (path) => this.#files.get(path)?.text,
      resolveModuleNameLiterals: (names) =>
        names.map(({ text }) => {
          const resolvedFileName = libraryPath(text)
          return this.#files.has(resolvedFileName)
            ? { resolvedModule: { resolvedFileName, extension: ts.Extension.Ts } }
            : { resolvedModule: undefined }
        }),
    })
  }

  /** Returns the names that can follow at a place, the likeliest first. */
  completions(typed: TypedCode, at: number): readonly TypeCompletion[] {
    this.#open(typed)
    const entries = this.#service.getCompletionsAtPosition(codePath, at, {})?.entries ?? []
    return [...entries]
      .sort((a, b) => (a.sortText < b.sortText ? -1 : 1))
      .slice(0, completionsMax)
      .map(({ name, kind }) => ({ name, kind }))
  }

  problems(typed: TypedCode): readonly TypeProblem[] {
    this.#open(typed)
    const found = [
      ...this.#service.getSyntacticDiagnostics(codePath),
      ...this.#service.getSemanticDiagnostics(codePath),
    ]
    return found.slice(0, problemsMax).map(({ start = 0, length = 1, messageText }) => ({
      from: start,
      to: start + length,
      message: ts.flattenDiagnosticMessageText(messageText, '\n'),
    }))
  }

  hover(typed: TypedCode, at: number): TypeHover | undefined {
    this.#open(typed)
    const info = this.#service.getQuickInfoAtPosition(codePath, at)
    if (info === undefined) return undefined
    const text = [info.displayParts, info.documentation].map(ts.displayPartsToString).filter(Boolean).join('\n\n')
    return { from: info.textSpan.start, to: info.textSpan.start + info.textSpan.length, text }
  }

  #open({ code, libraries }: TypedCode): void {
    this.#write(codePath, code)
    for (const [name, text] of Object.entries(libraries)) this.#write(libraryPath(name), text)
  }

  #write(path: string, text: string): void {
    const before = this.#files.get(path)
    if (before?.text !== text) this.#files.set(path, { text, version: (before?.version ?? 0) + 1 })
  }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const libraryPath = (importName: string): string => `/libraries/${importName}.ts`
