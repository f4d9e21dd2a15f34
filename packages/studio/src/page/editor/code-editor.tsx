import './code-editor.css'
import { autocompletion, type Completion, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef, useState } from 'preact/hooks'
import { askTypes } from '../types/ask-types.ts'
import type { TypeProblem } from '../types/types-question.ts'
import { codeColours } from './code-colours.ts'
import { eventPaths, type KeyPath } from './event-paths.ts'
import { heatGutter, type LineHeat, redrawHeat } from './heat-gutter.ts'
import { type TypeLibraries, typeCompletions, typeHover } from './type-completions.ts'

/** A problem at a line of the code, from 1. */
export interface LineProblem {
  readonly line: number
  readonly message: string
}

export interface CodeEditorProps {
  readonly label: string
  /**
   * The text as the owner knows it. Only the first one is written into the editor: written back later, one of two quick
   * changes could undo the other. A `key` of its own begins again.
   */
  readonly code: string
  readonly onChange: (code: string) => void
  /** Runs the code: Ctrl-Enter. */
  readonly onRun: () => void
  readonly isFixed: boolean
  /** Where the cursor is at the start, which then has the focus. */
  readonly startAt?: number
  readonly problems: readonly LineProblem[]
  /** Key paths of events that were seen, offered as completions. */
  readonly paths: readonly KeyPath[]
  /** Which lines take time. */
  readonly heat?: readonly LineHeat[]
  /** Called with the number of what TypeScript finds wrong, when it has looked. */
  readonly onTypes?: (problems: readonly LineProblem[]) => void
  /** Turns on types: completions, hovers and problems, with the code of the libraries by import name. */
  readonly typeLibraries?: TypeLibraries
}

/** Milliseconds without a change after which types are checked. */
const checkAfterMs = 400

/** An editor for JavaScript. Escape, then Tab, leaves it, so that it is no trap for the keyboard. */
export function CodeEditor(props: CodeEditorProps) {
  const {
    label,
    code,
    onChange,
    onRun,
    isFixed,
    startAt,
    problems,
    paths,
    typeLibraries,
    heat = noHeat,
    onTypes,
  } = props
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const current = useRef({ onChange, onRun, paths, typeLibraries, heat })
  current.current = { onChange, onRun, paths, typeLibraries, heat }
  const typeProblems = useTypeProblems(code, typeLibraries)
  useEffect(() => {
    const runCode = (): boolean => {
      current.current.onRun()
      return true
    }
    const nonce = document.querySelector<HTMLMetaElement>('meta[name="sluice-nonce"]')?.content ?? ''
    const editor = new EditorView({
      parent: place.current ?? document.body,
      state: EditorState.create({
        doc: code,
        selection: startAt === undefined ? undefined : { anchor: Math.min(startAt, code.length) },
        extensions: [
          EditorView.cspNonce.of(nonce),
          lineNumbers(),
          heatGutter(() => current.current.heat),
          lintGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          codeColours,
          javascript({ typescript: true }),
          autocompletion({
            override: [
              (context) => completionsAt(context, current.current.paths),
              (context) => typeCompletions(context, current.current.typeLibraries),
            ],
          }),
          typeHover(() => current.current.typeLibraries),
          keymap.of([
            { key: 'Mod-Enter', run: runCode },
            ...completionKeymap,
            ...defaultKeymap,
            ...historyKeymap,
            ...searchKeymap,
            indentWithTab,
          ]),
          EditorState.readOnly.of(isFixed),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) current.current.onChange(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    if (startAt !== undefined) editor.focus()
    return () => editor.destroy()
  }, [isFixed, label])
  useEffect(() => {
    const editor = view.current
    if (editor)
      editor.dispatch(
        setDiagnostics(editor.state, [
          ...problems.flatMap((problem) => diagnosticOf(editor, problem)),
          ...typeProblems
            .filter(({ to }) => to <= editor.state.doc.length)
            .map((problem): Diagnostic => ({ ...problem, severity: 'warning', source: 'types' })),
        ]),
      )
  }, [problems, typeProblems])
  useEffect(() => {
    if (view.current) redrawHeat(view.current)
  }, [heat])
  useEffect(() => {
    const editor = view.current
    if (editor === undefined || onTypes === undefined) return
    const { doc } = editor.state
    const lineOf = (from: number): number => doc.lineAt(Math.min(from, doc.length)).number
    onTypes(typeProblems.map(({ from, message }) => ({ line: lineOf(from), message })))
  }, [typeProblems])
  return <div class="code-editor" ref={place} />
}

const noHeat: readonly LineHeat[] = []

/** What TypeScript finds in the code, a moment after its last change. */
function useTypeProblems(code: string, libraries: TypeLibraries): readonly TypeProblem[] {
  const [found, setFound] = useState<readonly TypeProblem[]>([])
  useEffect(() => {
    if (libraries === undefined) return setFound([])
    let isOver = false
    const timer = setTimeout(async () => {
      const problems = await askTypes({ kind: 'problems', typed: { code, libraries } }).catch(() => [])
      if (!isOver) setFound(problems)
    }, checkAfterMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [code, libraries])
  return found
}

function diagnosticOf({ state }: EditorView, { line, message }: LineProblem): readonly Diagnostic[] {
  if (line < 1 || line > state.doc.lines) return []
  const { from, to } = state.doc.line(line)
  return [{ from, to, severity: 'error', message }]
}

function completionsAt(
  context: {
    matchBefore(pattern: RegExp): { readonly from: number; readonly text: string } | null
    readonly explicit: boolean
  },
  paths: readonly KeyPath[],
) {
  const before = context.matchBefore(/event(?:\??\.[\w$]*)+/)
  if (before === null) return null
  const options = eventPaths(before.text, paths).map(
    ({ key, detail }): Completion => ({ label: key, type: 'property', detail }),
  )
  const from = before.from + before.text.lastIndexOf('.') + 1
  return options.length === 0 ? null : { from, options, validFor: /^[\w$]*$/ }
}
