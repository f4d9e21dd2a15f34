import './code-editor.css'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { PostgreSQL, sql as sqlLanguage } from '@codemirror/lang-sql'
import { bracketMatching } from '@codemirror/language'
import { EditorState, Prec } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'preact/hooks'
import { codeColours } from './code-colours.ts'

interface SqlEditorProps {
  readonly label: string
  /** The text at the start. A `key` of its own begins again with another one. */
  readonly sql: string
  readonly onChange: (sql: string) => void
  /** Runs the text: Ctrl-Enter. */
  readonly onRun: () => void
}

/** An editor for SQL with the words of DuckDB, which are those of PostgreSQL. Tab leaves it. */
export function SqlEditor({ label, sql, onChange, onRun }: SqlEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const current = useRef({ onChange, onRun })
  current.current = { onChange, onRun }
  useEffect(() => {
    const run = (): boolean => {
      current.current.onRun()
      return true
    }
    const nonce = document.querySelector<HTMLMetaElement>('meta[name="sluice-nonce"]')?.content ?? ''
    const view = new EditorView({
      parent: place.current ?? document.body,
      state: EditorState.create({
        doc: sql,
        extensions: [
          EditorView.cspNonce.of(nonce),
          Prec.high(keymap.of([{ key: 'Mod-Enter', run }])),
          lineNumbers(),
          history(),
          drawSelection(),
          bracketMatching(),
          EditorView.lineWrapping,
          codeColours,
          sqlLanguage({ dialect: PostgreSQL }),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) current.current.onChange(update.state.doc.toString())
          }),
        ],
      }),
    })
    return () => view.destroy()
  }, [])
  return <div class="code-editor" ref={place} />
}
