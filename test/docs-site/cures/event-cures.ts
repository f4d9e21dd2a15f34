import type { ErrorCode } from '@sluice/core'

/** What to do about each way an event can fail. The causes are in the code: `errorTraits` of @sluice/core. */
export const eventCures: Readonly<Record<ErrorCode, string>> = {
  'stage.broken':
    'Read the stack in the details. With a stage of your own, mend it; otherwise report a bug. Then retry the dead letters.',
  'stage.crashed':
    'See the log for why the process ended, most often memory. Retry the dead letter alone; if it ends the process again, keep it and report a bug.',
  'stage.failed': 'The message is from your own stage. Change the stage or the event, then retry the dead letters.',
  'transform.threw':
    'Run the event with `sluice test` or in the studio, which shows line and log; save a mended version, publish it, and retry the dead letters.',
  'transform.load':
    'The message names the line or the missing import. Publish a version that loads, with the libraries it imports; then retry the dead letters.',
  'transform.output':
    'Return an event, a list of events, or nothing to drop it. The rules are in [User code](../behaviour/user-code.md).',
  'transform.timeout':
    'Look for a loop that does not end, or a slow `fetch`. `sluice bench` shows where the time goes. The limit is an [option](options.md).',
  'transform.memory':
    'Keep less per event: no caches that grow in the module, no copies of large arrays. The limit is an [option](options.md).',
  'transform.stack': 'Replace the recursion by a loop, or bound its depth.',
  'destination.settings': 'Change the settings that the message names; then retry the dead letters.',
  'destination.event':
    'Send what the message names, add it in a transformation, or drop such events there. The page of the [destination](destinations/index.md) says what it needs.',
  'deliver.refused':
    'Read the reply in the details. Mend credentials or settings of the destination, or the event, and retry the dead letters.',
  'deliver.unavailable':
    'Nothing, as long as attempts are left: it is sent again by itself. After the last one, see whether the address is reachable and allowed, then retry the dead letters.',
}
