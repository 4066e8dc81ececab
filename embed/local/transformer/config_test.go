package transformer

import (
	"reflect"
	"strings"
	"testing"
)

const modern = `{"model_type":"modernbert","vocab_size":100,"hidden_size":64,"num_hidden_layers":4,"num_attention_heads":4,
	"intermediate_size":96,"max_position_embeddings":8192,"hidden_activation":"gelu","local_attention":128,`

// ModernBERT's configuration has had two forms.
func TestModernForms(t *testing.T) {
	first, err := Parse([]byte(modern + `"global_attn_every_n_layers":3,"global_rope_theta":160000.0,"local_rope_theta":10000.0}`))
	if err != nil {
		t.Fatal(err)
	}
	second, err := Parse([]byte(modern + `"layer_types":["full_attention","sliding_attention","sliding_attention","full_attention"],
		"rope_parameters":{"full_attention":{"rope_type":"default","rope_theta":160000.0},"sliding_attention":{"rope_type":"default","rope_theta":10000.0}}}`))
	if err != nil || !reflect.DeepEqual(first, second) {
		t.Errorf("%v: %+v and %+v", err, first, second)
	}
	want := []rotaryConfig{{160000, 0}, {10000, 64}, {10000, 64}, {160000, 0}}
	if !reflect.DeepEqual(first.rotary, want) || first.MaxTokens != MaxUsedTokens {
		t.Errorf("%+v, want %+v", first, want)
	}
	one, err := Parse([]byte(modern + `"global_attn_every_n_layers":3,"global_rope_theta":160000.0,"local_rope_theta":null}`))
	if err != nil || one.rotary[1].theta != 160000 {
		t.Errorf("without a theta of their own, local layers have %+v, %v", one.rotary, err)
	}
}

func TestRefusedConfigs(t *testing.T) {
	for rest, want := range map[string]string{
		`"global_attn_every_n_layers":3}`:                                                    "rope_theta is missing",
		`"global_rope_theta":1e4}`:                                                           "neither layer_types nor",
		`"global_rope_theta":1e4,"layer_types":["full_attention"]}`:                          "1 layer_types for 4 layers",
		`"global_rope_theta":1e4,"layer_types":["x","x","x","x"]}`:                           `the layer type "x"`,
		`"global_rope_theta":1e4,"global_attn_every_n_layers":1,"mlp_bias":true}`:            "biases are not supported",
		`"rope_parameters":{"full_attention":{"rope_type":"yarn","rope_theta":1}}}`:          `the rope_type "yarn"`,
		`"global_rope_theta":1e4,"global_attn_every_n_layers":1,"hidden_activation":"silu"}`: `the activation "silu"`,
		`"global_rope_theta":1e4,"global_attn_every_n_layers":1,"num_attention_heads":64}`:   "64 heads for hidden layers of 64",
	} {
		if _, err := Parse([]byte(modern + rest)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", rest, err, want)
		}
	}
	for config, want := range map[string]string{
		`{"model_type":"roberta"}`:                                        "no pad_token_id",
		`{"model_type":"bert","hidden_act":"gelu","is_decoder":true}`:     "it is a decoder",
		`{"model_type":"bert","hidden_act":"gelu"}`:                       "the size of its hidden layers is 0",
		`{"model_type":"bert","hidden_act":"gelu","hidden_size":9999999}`: "the size of its hidden layers is 9999999",
		`{"model_type":"nomic_bert"}`:                                     `the architecture "nomic_bert" is not supported`,
		`7`:                                                               "cannot unmarshal",
	} {
		if _, err := Parse([]byte(config)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", config, err, want)
		}
	}
}
