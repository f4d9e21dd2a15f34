export const saveErrors = [
  'codeTooLarge',
  'codeInvalid',
  'nameMissing',
  'languageUnknown',
  'publishContradicts',
  'storageFull',
] as const

export const publishErrors = ['testsFailed', 'publishBreaks', 'changedMeanwhile', 'busy'] as const

export const connectErrors = ['destinationsNeedPublish', 'destinationUnknown', 'destinationTaken'] as const

export const payloadErrors = ['publishEmpty', 'publishTwice', 'versionUnknown', 'testInputInvalid'] as const
