import { Type } from 'typebox'
import {
  convert,
  defineDestination,
  everyType,
  field,
  instrumentationError,
  isSettingTemplate,
  packLines,
  sink,
} from '../../kit/index.ts'
import { fileExamples } from './file-examples.ts'

/** A plain file name that is valid on any file system: no separator, no leading dot, nothing that needs quoting. */
const nameForm = '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$'

/**
 * Appends each event as a line of JSON to local files. Starts a new file when the current one has reached a size or an
 * age.
 *
 * Only the operator chooses the folder. An event may choose the file name if the setting is a template, but never a
 * path.
 */
export const file = defineDestination({
  type: 'FILE',
  displayName: 'File',
  isTestable: false,
  supports: everyType,
  settings: Type.Object({
    folder: field.requiredText({
      title: 'Folder',
      description: 'Folder of the files, relative to the working directory; created if it does not exist.',
      allowed: 'a folder, which no event may decide',
      isFixed: true,
      isOperators: true,
    }),
    fileName: field.text({
      title: 'File name',
      default: 'events',
      pattern: nameForm,
      description: 'Prefix of file names, followed by the start time of the file and .ndjson.',
      allowed: 'at most 100 letters, digits and _ . - not beginning with . or -',
    }),
    rotateBytes: field.integer({
      title: 'Largest file (bytes)',
      default: 104_857_600,
      minimum: 1_024,
      description: 'Maximum size of a file in bytes; then a new one is started.',
      isFixed: true,
    }),
    rotateMinutes: field.integer({
      title: 'Oldest file (minutes)',
      default: 1_440,
      minimum: 1,
      description: 'Maximum age of a file in minutes; then a new one is started.',
      isFixed: true,
    }),
    fsync: field.flag({
      title: 'Wait for the disk',
      default: true,
      description: 'Events count as delivered only once they are on disk; with false, once the system has them.',
      isFixed: true,
    }),
  }),
  secrets: [],
  requests(event, { folder, fileName, rotateBytes, rotateMinutes, fsync }) {
    if (typeof fileName !== 'string' || !new RegExp(nameForm).test(fileName)) {
      return instrumentationError('the event chooses an invalid file name: use letters, digits and _ . -')
    }
    const params = { folder, rotateBytes, rotateMinutes, fsync }
    return sink({ method: 'POST', endpoint: `file:${fileName}`, params, body: { lines: [event] } })
  },
  batch: packLines({ itemsMax: 1_000, bytesMax: 1_048_576 }),
  keptLines: {
    // If events choose the name, all files in the folder may contain the user.
    place: ({ folder = '', fileName = '' }) =>
      sink({
        method: 'GET',
        endpoint: `file:${isSettingTemplate(fileName) ? '' : convert.text(fileName)}`,
        params: { folder },
        body: {},
      }),
  },
  examples: fileExamples,
})
