import { type Extension, StateEffect } from '@codemirror/state'
import { type EditorView, GutterMarker, gutter } from '@codemirror/view'

/** Share of the time that a line takes, from 0 to 1. */
export interface LineHeat {
  readonly line: number
  readonly share: number
  /** Shown on hover. */
  readonly text: string
}

const changed = StateEffect.define<null>()

/** Draws the marks again, after the heat has changed. */
export function redrawHeat(view: EditorView): void {
  view.dispatch({ effects: changed.of(null) })
}

/** Bars beside the lines that take time: the longest for the one with most of it. */
export function heatGutter(heat: () => readonly LineHeat[]): Extension {
  return gutter({
    class: 'cm-heat',
    lineMarker: (view, block) => {
      const line = view.state.doc.lineAt(block.from).number
      const found = heat().find((each) => each.line === line)
      return found === undefined ? null : new HeatMarker(found)
    },
    lineMarkerChange: ({ transactions }) =>
      transactions.some(({ effects }) => effects.some((effect) => effect.is(changed))),
  })
}

class HeatMarker extends GutterMarker {
  readonly #heat: LineHeat

  constructor(heat: LineHeat) {
    super()
    this.#heat = heat
  }

  override toDOM(): HTMLElement {
    const { share, text } = this.#heat
    const bar = document.createElement('i')
    bar.className = `hot h${Math.max(1, Math.ceil(share * 4))}`
    bar.title = text
    bar.style.width = `${Math.max(8, Math.round(share * 100))}%`
    return bar
  }
}
