import { Type } from 'typebox'
import { defineDestination, everyType, field, packLines, sink } from '../../kit/index.ts'
import { consoleExamples } from './console-examples.ts'

/** Writes each event as a line of JSON to the output of the process, for debugging and pipes. */
export const consoleDestination = defineDestination({
  type: 'CONSOLE',
  displayName: 'Console',
  isTestable: false,
  supports: everyType,
  settings: Type.Object({
    stream: field.choiceOf(
      { stdout: 'Stdout', stderr: 'Stderr' },
      { title: 'Stream', default: 'stdout', description: 'Stream for the lines.', isFixed: true },
    ),
  }),
  secrets: [],
  requests: (event, { stream }) => sink({ method: 'POST', endpoint: `console:${stream}`, body: { lines: [event] } }),
  batch: packLines({ itemsMax: 1_000, bytesMax: 1_048_576 }),
  examples: consoleExamples,
})
