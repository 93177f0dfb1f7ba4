// What the build asks of the last run: it failed because of the race, and says where.
def log = new File(basedir as String, 'build.log').text
def race = log.substring(log.lastIndexOf('T E S T S'))
assert race.contains('block-sum-racing.ptx:') && race.contains('source: block-sum.cu:')
assert race.contains('rule: data-race')
return true
