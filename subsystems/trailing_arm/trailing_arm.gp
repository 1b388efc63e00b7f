# run droop: --output-step 0.002 --channel centre --channel arm.orientation --channel 'strut.*.force'
body = "arm"
load "subsystems/corner.gp"
