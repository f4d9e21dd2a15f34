import { fromRudderProject, isRudderResource, type PlacedProblem } from '@sluice/configuration/file'
import type { JsonObject } from '@sluice/core'
import { parseText } from '../text/parse-text.ts'
import { type FileText, placeFinder } from '../text/place-finder.ts'
import type { Notes } from './read-project.ts'

export interface ConvertedProject {
  readonly workspace: JsonObject
  readonly problems: readonly PlacedProblem[]
  readonly notes: Notes
  /** Returns where in the project something of the workspace comes from; undefined for the workspace file beside it. */
  originOf(path: string): { readonly file: string; readonly path: string } | undefined
}

/** Converts the files of RudderStack's rudder-cli to a workspace. @param own the workspace file beside them. */
export async function convertProject(
  files: readonly FileText[],
  own: JsonObject,
  nameOf: (file: string) => string,
): Promise<ConvertedProject> {
  const resources = await Promise.all(
    files.map(async ({ file, text }) => ({ file, content: await parseText(text, nameOf(file)) })),
  )
  const project = fromRudderProject(
    resources.flatMap(({ file, content }) => (isRudderResource(content) ? [{ file, content }] : [])),
    own,
  )
  const textOf = (file: string): string => files.find((each) => each.file === file)?.text ?? ''
  return {
    workspace: project.workspace,
    problems: project.problems.map(({ file, ...problem }) => ({
      ...problem,
      place: placeFinder({ file: nameOf(file), text: textOf(file) })(problem.path),
    })),
    notes: project.notes.map((note) => ({ ...note, file: nameOf(note.file) })),
    originOf(path) {
      const [element = ''] = /^\w+\[\d+\]/.exec(path) ?? []
      const origin = project.origins.get(element)
      return origin && { file: origin.file, path: `${origin.path}${inResource(path.slice(element.length))}` }
    },
  }
}

/** `.settings.webhookUrl` → `.config.webhook_url` */
function inResource(path: string): string {
  if (!path.startsWith('.settings')) return path.replace(/^\.name\b/, '.display_name')
  return path.replace(/^\.settings/, '.config').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
