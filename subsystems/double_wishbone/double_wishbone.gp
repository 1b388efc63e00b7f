# run droop: --output-step 0.002 --channel centre --channel upright.orientation --channel 'strut.*.force'
body = "upright"
load "subsystems/corner.gp"
