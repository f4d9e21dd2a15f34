import type { RecordKind } from './record-kind.ts'

const sources: RecordKind = {
  noun: 'source',
  plural: 'sources',
  description: 'list, show, create, change and delete the sources of a server; rotate their write keys',
  columns: ['id', 'name', 'type', 'enabled', 'managedBy'],
  exampleId: 'web',
  examples: {
    create: ['--name "Web shop" --type javascript', '--id web --file source.yaml'],
    update: ['web --enabled false', 'web --set \'observe={"samples":false}\''],
  },
}

const destinations: RecordKind = {
  noun: 'destination',
  plural: 'destinations',
  description: 'list, show, create, change, pause and delete the destinations of a server; check credentials of a file',
  columns: ['id', 'name', 'type', 'enabled', 'managedBy'],
  exampleId: 'crm',
  examples: {
    create: ['--id crm --type WEBHOOK --setting webhookUrl=https://hook.test/in', '--id crm --file destination.yaml'],
    update: ['crm --setting webhookMethod=PUT', 'crm --setting apiKey=env:CRM_KEY', 'crm --enabled false'],
  },
}

const connections: RecordKind = {
  noun: 'connection',
  plural: 'connections',
  description: 'list, show, create, change and delete the connections of a server',
  columns: ['id', 'sourceId', 'destinationId', 'enabled', 'managedBy'],
  exampleId: 'web-crm',
  examples: {
    create: ['--source web --destination crm'],
    update: ['web-crm --enabled false'],
  },
}

export const recordKinds = { sources, destinations, connections }
