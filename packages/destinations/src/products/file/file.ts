import { Type } from 'typebox'
import { packLines } from '../../kit/batching/pack-lines.ts'
import { text } from '../../kit/convert/text.ts'
import { defineDestination } from '../../kit/define/define-destination.ts'
import { everyType } from '../../kit/define/message-type.ts'
import { sink } from '../../kit/map/delivery-request.ts'
import { instrumentationError } from '../../kit/map/mapping-error.ts'
import { isSettingTemplate } from '../../kit/settings/resolve-settings.ts'
import { fileExamples } from './file-examples.ts'

/** One name inside a folder, whatever the file system: no separator, no leading dot, nothing that needs quoting. */
const nameForm = '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$'

/**
 * Appends each event as a line of JSON to files on this machine, beginning a new one by size and by age.
 *
 * The folder is the operator's alone; an event may choose the name where the setting is a template, but never a path.
 */
export const file = defineDestination({
  type: 'FILE',
  displayName: 'File',
  isTestable: false,
  supports: everyType,
  settings: Type.Object({
    folder: Type.String({
      minLength: 1,
      description: 'Folder of the files, as seen from where the process runs; it is made when it is not there.',
      allowed: 'a folder, which no event may decide',
      isFixed: true,
    }),
    fileName: Type.String({
      default: 'events',
      pattern: nameForm,
      description: 'How the names begin; the time a file was begun and .ndjson follow.',
      allowed: 'at most 100 letters, digits and _ . - not beginning with . or -',
    }),
    rotateBytes: Type.Integer({
      default: 104_857_600,
      minimum: 1_024,
      description: 'A file that is as long gets no more lines.',
      isFixed: true,
    }),
    rotateMinutes: Type.Integer({
      default: 1_440,
      minimum: 1,
      description: 'A file that is as old gets no more lines.',
      isFixed: true,
    }),
    fsync: Type.Boolean({
      default: true,
      description: 'Events count as delivered when the disk has them; false leaves when to the operating system.',
      isFixed: true,
    }),
  }),
  secrets: [],
  requests(event, { folder, fileName, rotateBytes, rotateMinutes, fsync }) {
    if (typeof fileName !== 'string' || !new RegExp(nameForm).test(fileName)) {
      return instrumentationError('the name of the file that the event chooses is none: use letters, digits and _ . -')
    }
    const params = { folder, rotateBytes, rotateMinutes, fsync }
    return sink({ method: 'POST', endpoint: `file:${fileName}`, params, body: { lines: [event] } })
  },
  batch: packLines({ itemsMax: 1_000, bytesMax: 1_048_576 }),
  keptLines: {
    // Where events choose the name, it can be any.
    place: ({ folder = '', fileName = '' }) =>
      sink({
        method: 'GET',
        endpoint: `file:${isSettingTemplate(fileName) ? '' : text(fileName)}`,
        params: { folder },
        body: {},
      }),
    userIdAt: [['userId']],
  },
  examples: fileExamples,
})
