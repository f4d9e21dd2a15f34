import './code-editor.css'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { SQLDialect, sql as sqlLanguage } from '@codemirror/lang-sql'
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

/** Words of queries. Those of PostgreSQL have many that are names of columns here, such as `table_name` and `value`. */
const duckdb = SQLDialect.define({
  keywords:
    'all and any anti as asc at between by case cast collate cross desc describe distinct else end except exclude exists explain false fetch filter first following for from full group having ilike in inner intersect interval is join last lateral left like limit natural not null nulls offset on only or order outer over partition pivot positional preceding qualify range recursive replace right row rows sample select semi show similar some summarize table tablesample then ties to true try_cast unbounded union unnest unpivot using values when where window with within',
  types:
    'bigint bit blob boolean bool char date decimal double float float4 float8 hugeint int int2 int4 int8 integer json list map numeric real smallint string struct text time timestamp timestamptz tinyint ubigint uinteger usmallint utinyint uuid varchar',
  operatorChars: '*+-%<>!=&|~^/@#:',
  spaceAfterDashes: false,
})

/** An editor for SQL with the words of DuckDB. Tab leaves it. */
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
          sqlLanguage({ dialect: duckdb }),
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
